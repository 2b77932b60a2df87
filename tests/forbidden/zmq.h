#error "zmq.h is forbidden in the pure layers"
