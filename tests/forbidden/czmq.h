#error "czmq.h is forbidden in the pure layers"
