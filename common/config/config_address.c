#include "config/config_address.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"

/* The two parts of tcp://HOST:PORT. */
typedef struct {
    char host[CONFIG_ADDRESS_BYTES_MAX]; /* without the brackets of IPv6 */
    const char *port;                    /* within the address that was split */
    bool is_bracketed;                   /* the host stood in brackets */
} AddressParts;

static const char scheme[] = "tcp://";

/* Takes the address apart; false when it has not that form. */
static bool split(const char *address, AddressParts *parts)
{
    const size_t scheme_length = sizeof scheme - 1;
    if (strlen(address) >= CONFIG_ADDRESS_BYTES_MAX ||
        strncmp(address, scheme, scheme_length) != 0) {
        return false;
    }
    const char *host = address + scheme_length;
    const char *colon = strrchr(host, ':');
    if (colon == NULL) {
        return false;
    }
    size_t host_length = (size_t)(colon - host);
    parts->port = colon + 1;
    parts->is_bracketed = host_length >= 2 && host[0] == '[' && colon[-1] == ']';
    if (parts->is_bracketed) {
        host++;
        host_length -= 2;
    }
    memcpy(parts->host, host, host_length);
    parts->host[host_length] = '\0';
    return host_length > 0;
}

static bool is_port(const char *text)
{
    int port = 0;
    for (const char *at = text; *at != '\0'; at++) {
        if (*at < '0' || *at > '9') {
            return false;
        }
        port = port * 10 + (*at - '0');
        if (port >= CONFIG_ADDRESS_PORT_LIMIT) {
            return false;
        }
    }
    return port > 0;
}

static bool is_ipv4(const char *host)
{
    struct in_addr unused;
    return inet_pton(AF_INET, host, &unused) == 1;
}

static bool is_ipv6(const char *host)
{
    struct in6_addr unused;
    return inet_pton(AF_INET6, host, &unused) == 1;
}

/* A host name (RFC 1123; underscores as some networks have them) that is no botched number. */
static bool is_name(const char *host)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";
    const size_t length = strlen(host);
    return strspn(host, allowed) == length && strspn(host, "0123456789.") < length &&
           host[0] != '-' && host[0] != '.';
}

static bool is_host(const AddressParts *parts, ConfigAddressUse use)
{
    if (parts->is_bracketed) {
        return is_ipv6(parts->host);
    }
    if (strcmp(parts->host, "*") == 0) {
        return use == CONFIG_ADDRESS_LISTEN;
    }
    return is_ipv4(parts->host) || is_name(parts->host);
}

Status config_address_check(const char *address, ConfigAddressUse use)
{
    AddressParts parts;
    if (!split(address, &parts)) {
        return status_error(STATUS_INVALID, "\"%s\" is no address of the form tcp://HOST:PORT",
                            address);
    }
    if (!is_host(&parts, use)) {
        return status_error(STATUS_INVALID,
                            "\"%s\": the host must be a name, an IPv4 address or an IPv6 address "
                            "in brackets%s",
                            address,
                            use == CONFIG_ADDRESS_LISTEN ? ", or * for every interface" : "");
    }
    if (!is_port(parts.port)) {
        return status_error(STATUS_INVALID, "\"%s\": the port must be a number from 1 to %d",
                            address, CONFIG_ADDRESS_PORT_LIMIT - 1);
    }
    return status_ok();
}

void config_address_host(const char *address, char host[CONFIG_ADDRESS_BYTES_MAX])
{
    AddressParts parts;
    const bool is_address = split(address, &parts);
    CHECK(is_address);
    (void)snprintf(host, CONFIG_ADDRESS_BYTES_MAX, "%s", parts.host);
}

bool config_address_is_loopback(const char *address)
{
    AddressParts parts;
    if (!split(address, &parts) || !is_port(parts.port)) {
        return false;
    }
    if (parts.is_bracketed) {
        struct in6_addr ipv6;
        return inet_pton(AF_INET6, parts.host, &ipv6) == 1 &&
               memcmp(&ipv6, &in6addr_loopback, sizeof ipv6) == 0;
    }
    return strcmp(parts.host, "localhost") == 0 ||
           (is_ipv4(parts.host) && strncmp(parts.host, "127.", 4) == 0);
}

Status config_address_admit(const char *address, ConfigAddressUse use, bool insecure)
{
    const Status status = config_address_check(address, use);
    if (!status_is_ok(&status) || insecure || config_address_is_loopback(address)) {
        return status;
    }
    return status_error(STATUS_INVALID,
                        "\"%s\" is on the network and there are no keys: anybody there could join; "
                        "use a loopback address, or accept it by insecure = true in [network]",
                        address);
}
