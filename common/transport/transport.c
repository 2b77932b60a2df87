#include "transport/transport.h"

#include <czmq.h>

void transport_init(void)
{
    zsys_handler_set(NULL);
    zsys_init();
}

void transport_shutdown(void)
{
    zsys_shutdown();
}
