#error "time.h is forbidden in the pure layers"
