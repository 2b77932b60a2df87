/*
 * The C++ side of config.h: toml++ turns the text into a tree, the table of fields below says what
 * may be in it. Every exception ends in config_parse or config_load.
 */
extern "C" {
#include "config/config.h"
}

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include <toml++/toml.h>

namespace
{

enum class Kind {
    Boolean, /* bool */
    Integer, /* int, from min to max */
    Text,    /* char array, checked by `check` */
};

/* One key that a file may have. */
struct Field {
    const char *table;             /* the table it stands in */
    const char *key;               /* its name */
    Kind kind;                     /* what type it has */
    std::size_t offset;            /* where in Config it goes */
    int min;                       /* Integer: smallest value */
    int max;                       /* Integer: greatest value */
    std::size_t bytes_max;         /* Text: size of the array */
    Status (*check)(const char *); /* Text: is the value good? */
};

/* A complaint about one place of the file; only ever leaves as a Status. */
struct Complaint {
    toml::source_position position; /* where, from 1 */
    std::string text;               /* what is wrong there */
};

Status check_listen(const char *address)
{
    return config_address_check(address, CONFIG_ADDRESS_LISTEN);
}

Status check_connect(const char *address)
{
    return config_address_check(address, CONFIG_ADDRESS_CONNECT);
}

Status check_connect_or_empty(const char *address)
{
    return *address == '\0' ? status_ok() : check_connect(address);
}

constexpr Field boolean_field(const char *table, const char *key, std::size_t offset)
{
    return {table, key, Kind::Boolean, offset, 0, 0, 0, nullptr};
}

constexpr Field integer_field(const char *table, const char *key, std::size_t offset, int min,
                              int max)
{
    return {table, key, Kind::Integer, offset, min, max, 0, nullptr};
}

constexpr Field text_field(const char *table, const char *key, std::size_t offset,
                           std::size_t bytes_max, Status (*check)(const char *))
{
    return {table, key, Kind::Text, offset, 0, 0, bytes_max, check};
}

constexpr Field fields[] = {
    boolean_field("network", "insecure", offsetof(Config, network.insecure)),
    integer_field("network", "heartbeat_ms", offsetof(Config, network.heartbeat_ms),
                  CONFIG_HEARTBEAT_MS_MIN, CONFIG_HEARTBEAT_MS_MAX),
    integer_field("network", "lease_ms", offsetof(Config, network.lease_ms), CONFIG_LEASE_MS_MIN,
                  CONFIG_LEASE_MS_MAX),
    integer_field("network", "reconnect_first_ms", offsetof(Config, network.reconnect_first_ms),
                  CONFIG_RECONNECT_MS_MIN, CONFIG_RECONNECT_MS_MAX),
    integer_field("network", "reconnect_last_ms", offsetof(Config, network.reconnect_last_ms),
                  CONFIG_RECONNECT_MS_MIN, CONFIG_RECONNECT_MS_MAX),
    text_field("master", "listen", offsetof(Config, master.listen), CONFIG_ADDRESS_BYTES_MAX,
               check_listen),
    text_field("worker", "master", offsetof(Config, worker.master), CONFIG_ADDRESS_BYTES_MAX,
               check_connect),
    integer_field("worker", "slots", offsetof(Config, worker.slots), 0, CONFIG_SLOTS_MAX),
    integer_field("worker", "hash_mb", offsetof(Config, worker.hash_mb), CONFIG_HASH_MB_MIN,
                  CONFIG_HASH_MB_MAX),
    text_field("worker", "name", offsetof(Config, worker.name), CONFIG_NAME_BYTES_MAX,
               config_check_worker_name),
    text_field("bridge", "cluster", offsetof(Config, bridge.cluster), CONFIG_ADDRESS_BYTES_MAX,
               check_connect_or_empty),
    integer_field("bridge", "threads", offsetof(Config, bridge.threads), 0, CONFIG_SLOTS_MAX),
    integer_field("bridge", "hash_mb", offsetof(Config, bridge.hash_mb), CONFIG_HASH_MB_MIN,
                  CONFIG_HASH_MB_MAX),
    integer_field("bridge", "move_overhead_ms", offsetof(Config, bridge.move_overhead_ms), 0,
                  CONFIG_MOVE_OVERHEAD_MS_MAX),
};

std::string full_name(const Field &field)
{
    return std::string(field.table) + "." + field.key;
}

[[noreturn]] void complain(const toml::node &node, const std::string &text)
{
    throw Complaint{node.source().begin, text};
}

const char *type_name(const toml::node &node)
{
    switch (node.type()) {
    case toml::node_type::table:
        return "a table";
    case toml::node_type::array:
        return "an array";
    case toml::node_type::string:
        return "a string";
    case toml::node_type::integer:
        return "an integer";
    case toml::node_type::floating_point:
        return "a floating-point number";
    case toml::node_type::boolean:
        return "a boolean";
    default:
        return "a date or time";
    }
}

[[noreturn]] void complain_of_type(const toml::node &node, const std::string &name,
                                   const char *expected)
{
    complain(node, name + " must be " + expected + ", not " + type_name(node));
}

void read_boolean(const Field &field, const toml::node &node, char *target)
{
    if (!node.is_boolean()) {
        complain_of_type(node, full_name(field), "a boolean (true or false)");
    }
    const bool value = node.as_boolean()->get();
    std::memcpy(target, &value, sizeof value);
}

void read_integer(const Field &field, const toml::node &node, char *target)
{
    if (!node.is_integer()) {
        complain_of_type(node, full_name(field), "an integer");
    }
    const std::int64_t wide_value = node.as_integer()->get();
    if (wide_value < field.min || wide_value > field.max) {
        complain(node, full_name(field) + " must be from " + std::to_string(field.min) + " to " +
                           std::to_string(field.max) + ", not " + std::to_string(wide_value));
    }
    const int value = static_cast<int>(wide_value);
    std::memcpy(target, &value, sizeof value);
}

void read_text(const Field &field, const toml::node &node, char *target)
{
    if (!node.is_string()) {
        complain_of_type(node, full_name(field), "a string");
    }
    const std::string &value = node.as_string()->get();
    if (value.size() >= field.bytes_max) {
        complain(node, full_name(field) + " must be shorter than " +
                           std::to_string(field.bytes_max) + " bytes");
    }
    if (value.find('\0') != std::string::npos) {
        complain(node, full_name(field) + " must not contain a NUL");
    }
    const Status status = field.check(value.c_str());
    if (!status_is_ok(&status)) {
        complain(node, full_name(field) + " " + status.message);
    }
    std::memcpy(target, value.c_str(), value.size() + 1);
}

void read_field(const Field &field, const toml::node &node, Config *config)
{
    char *target = reinterpret_cast<char *>(config) + field.offset;
    switch (field.kind) {
    case Kind::Boolean:
        read_boolean(field, node, target);
        break;
    case Kind::Integer:
        read_integer(field, node, target);
        break;
    case Kind::Text:
        read_text(field, node, target);
        break;
    }
}

const Field *find_field(std::string_view table, std::string_view key)
{
    for (const Field &field : fields) {
        if (table == field.table && key == field.key) {
            return &field;
        }
    }
    return nullptr;
}

bool is_known_table(std::string_view name)
{
    for (const Field &field : fields) {
        if (name == field.table) {
            return true;
        }
    }
    return false;
}

void read_table(std::string_view name, const toml::table &table, Config *config)
{
    for (const auto &[key, node] : table) {
        const Field *field = find_field(name, key.str());
        if (field == nullptr) {
            throw Complaint{key.source().begin,
                            "unknown key " + std::string(name) + "." + std::string(key.str())};
        }
        read_field(*field, node, config);
    }
}

void read_root(const toml::table &root, Config *config)
{
    for (const auto &[key, node] : root) {
        if (!is_known_table(key.str())) {
            throw Complaint{key.source().begin,
                            (node.is_table() ? "unknown table " : "unknown key ") +
                                std::string(key.str())};
        }
        if (!node.is_table()) {
            complain_of_type(node, std::string(key.str()), "a table");
        }
        read_table(key.str(), *node.as_table(), config);
    }
}

/* Where the value of a key stands; line 1, column 1 when the file has not got it. */
toml::source_position position_of(const toml::table &root, const char *table, const char *key)
{
    const auto node = root[table][key];
    return node ? node.node()->source().begin : toml::source_position{1, 1};
}

void check_admitted(const toml::table &root, const char *table, const char *key,
                    const char *address, ConfigAddressUse use, bool insecure)
{
    const Status status = config_address_admit(address, use, insecure);
    if (!status_is_ok(&status)) {
        throw Complaint{position_of(root, table, key),
                        std::string(table) + "." + key + " " + status.message};
    }
}

/* `key` is to blame where the file has it, else `other_key`, which must then be there. */
[[noreturn]] void complain_of_pair(const toml::table &root, const char *key, const char *other_key,
                                   const std::string &text)
{
    const char *blamed = root["network"][key] ? key : other_key;
    throw Complaint{position_of(root, "network", blamed), text};
}

void check_lease(const toml::table &root, const ConfigNetwork &network)
{
    if (network.lease_ms < CONFIG_LEASE_HEARTBEATS_MIN * network.heartbeat_ms) {
        complain_of_pair(root, "lease_ms", "heartbeat_ms",
                         "network.lease_ms (" + std::to_string(network.lease_ms) +
                             ") must be at least " + std::to_string(CONFIG_LEASE_HEARTBEATS_MIN) +
                             " times network.heartbeat_ms (" +
                             std::to_string(network.heartbeat_ms) + ")");
    }
}

void check_reconnect(const toml::table &root, const ConfigNetwork &network)
{
    if (network.reconnect_last_ms < network.reconnect_first_ms) {
        complain_of_pair(root, "reconnect_last_ms", "reconnect_first_ms",
                         "network.reconnect_last_ms (" + std::to_string(network.reconnect_last_ms) +
                             ") must not be below network.reconnect_first_ms (" +
                             std::to_string(network.reconnect_first_ms) + ")");
    }
}

/* Values that are good alone may not fit together. */
void check_together(const toml::table &root, const Config &config)
{
    const bool insecure = config.network.insecure;
    check_lease(root, config.network);
    check_reconnect(root, config.network);
    check_admitted(root, "master", "listen", config.master.listen, CONFIG_ADDRESS_LISTEN, insecure);
    check_admitted(root, "worker", "master", config.worker.master, CONFIG_ADDRESS_CONNECT,
                   insecure);
    if (config.bridge.cluster[0] != '\0') {
        check_admitted(root, "bridge", "cluster", config.bridge.cluster, CONFIG_ADDRESS_CONNECT,
                       insecure);
    }
}

/* Texts from the file may hold control characters; a message is one line. */
Status positioned_error(const char *file_name, toml::source_position position, std::string text)
{
    for (char &character : text) {
        if (static_cast<unsigned char>(character) < ' ' || character == '\x7F') {
            character = ' ';
        }
    }
    return status_error(STATUS_INVALID, "%s:%u:%u: %s", file_name, position.line, position.column,
                        text.c_str());
}

/* The file's bytes; one more than allowed if there are more. Returns false when errno says why. */
bool read_file(const char *path, std::string *text)
{
    std::FILE *file = std::fopen(path, "rbe");
    if (file == nullptr) {
        return false;
    }
    text->resize(CONFIG_TEXT_BYTES_MAX + 1);
    text->resize(std::fread(text->data(), 1, text->size(), file));
    const bool is_read = std::ferror(file) == 0;
    const int error = errno;
    (void)std::fclose(file);
    errno = error;
    return is_read;
}

} // namespace

extern "C" Config config_default(void)
{
    Config config = {};
    config.network.heartbeat_ms = CONFIG_HEARTBEAT_MS_DEFAULT;
    config.network.lease_ms = CONFIG_LEASE_MS_DEFAULT;
    config.network.reconnect_first_ms = CONFIG_RECONNECT_FIRST_MS_DEFAULT;
    config.network.reconnect_last_ms = CONFIG_RECONNECT_LAST_MS_DEFAULT;
    (void)std::snprintf(config.master.listen, sizeof config.master.listen, "tcp://127.0.0.1:%d",
                        CONFIG_PORT_DEFAULT);
    (void)std::snprintf(config.worker.master, sizeof config.worker.master, "tcp://127.0.0.1:%d",
                        CONFIG_PORT_DEFAULT);
    config.worker.hash_mb = CONFIG_HASH_MB_DEFAULT;
    config.bridge.hash_mb = CONFIG_HASH_MB_DEFAULT;
    config.bridge.move_overhead_ms = CONFIG_MOVE_OVERHEAD_MS_DEFAULT;
    return config;
}

extern "C" Status config_parse(const char *text, int length, const char *file_name, Config *config)
{
    *config = config_default();
    try {
        const std::string_view view(text, static_cast<std::size_t>(length));
        const toml::table root = toml::parse(view, std::string_view(file_name));
        Config read = config_default();
        read_root(root, &read);
        check_together(root, read);
        *config = read;
        return status_ok();
    } catch (const Complaint &complaint) {
        return positioned_error(file_name, complaint.position, complaint.text);
    } catch (const toml::parse_error &error) {
        return positioned_error(file_name, error.source().begin, error.what());
    } catch (const std::bad_alloc &) {
        return status_error(STATUS_NO_MEMORY, "%s: no memory to read it", file_name);
    } catch (const std::exception &error) {
        return status_error(STATUS_INVALID, "%s: %s", file_name, error.what());
    }
}

extern "C" Status config_load(const char *path, Config *config)
{
    *config = config_default();
    try {
        std::string text;
        if (!read_file(path, &text)) {
            return status_error(errno == ENOENT ? STATUS_NOT_FOUND : STATUS_IO,
                                "%s: cannot read: %s", path, std::strerror(errno));
        }
        if (text.size() > CONFIG_TEXT_BYTES_MAX) {
            return status_error(STATUS_INVALID, "%s: is longer than %d bytes", path,
                                CONFIG_TEXT_BYTES_MAX);
        }
        return config_parse(text.data(), static_cast<int>(text.size()), path, config);
    } catch (const std::bad_alloc &) {
        return status_error(STATUS_NO_MEMORY, "%s: no memory to read it", path);
    }
}

extern "C" Status config_check_worker_name(const char *name)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
    if (std::strspn(name, allowed) != std::strlen(name) ||
        std::strlen(name) >= CONFIG_NAME_BYTES_MAX) {
        return status_error(
            STATUS_INVALID,
            "\"%s\" must be letters, digits, dots, dashes and underscores, up to %d", name,
            CONFIG_NAME_BYTES_MAX - 1);
    }
    return status_ok();
}
