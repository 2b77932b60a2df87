#error "msgpack.h is forbidden in the pure layers"
