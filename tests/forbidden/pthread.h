#error "pthread.h is forbidden in the pure layers"
