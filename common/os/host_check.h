/*
 * HostCheck: whether a host's name leads anywhere.
 *
 * A socket that connects to a name which nobody knows says nothing: it asks again and again, as if
 * the host were switched off. So a person who has mistyped a name would wait for ever.
 */
#ifndef ROOKERY_OS_HOST_CHECK_H
#define ROOKERY_OS_HOST_CHECK_H

/*
 * Looks up the host of a valid address (config/config_address.h) by getaddrinfo(3), and if it is
 * not known says so once in the log of `program` on `descriptor`. In a thread of its own, for the
 * answer of a name server may take half a minute; without memory or a thread nothing is said.
 * `program` is a string that lives for ever, and the descriptor must stay open. Any thread.
 */
void host_check_begin(const char *address, const char *program, int descriptor);

#endif
