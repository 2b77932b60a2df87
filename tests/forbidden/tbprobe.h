#error "tbprobe.h is forbidden in the pure layers"
