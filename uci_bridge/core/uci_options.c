#include "uci_bridge/core/uci_options.h"

#include <stddef.h>
#include <stdio.h>

#include "uci_bridge/core/strength.h"

typedef enum { TYPE_SPIN, TYPE_CHECK, TYPE_STRING, TYPE_BUTTON } OptionType;

typedef struct {
    const char *name;
    OptionType type;
    size_t offset; /* of its field in UciOptions; none for a button */
    int minimum;   /* of a spin */
    int maximum;
} Option;

static const Option option_table[] = {
    {"Threads", TYPE_SPIN, offsetof(UciOptions, threads), 1, UCI_OPTION_THREADS_MAX},
    {"Hash", TYPE_SPIN, offsetof(UciOptions, hash_mb), 1, UCI_OPTION_HASH_MB_MAX},
    {"Clear Hash", TYPE_BUTTON, 0, 0, 0},
    {"Ponder", TYPE_CHECK, offsetof(UciOptions, ponder), 0, 0},
    {"MultiPV", TYPE_SPIN, offsetof(UciOptions, multi_pv), 1, UCI_OPTION_MULTI_PV_MAX},
    {"Move Overhead", TYPE_SPIN, offsetof(UciOptions, move_overhead_ms), 0,
     UCI_OPTION_MOVE_OVERHEAD_MS_MAX},
    {"UCI_Chess960", TYPE_CHECK, offsetof(UciOptions, chess960), 0, 0},
    {"UCI_ShowWDL", TYPE_CHECK, offsetof(UciOptions, show_wdl), 0, 0},
    {"UCI_LimitStrength", TYPE_CHECK, offsetof(UciOptions, limit_strength), 0, 0},
    {"UCI_Elo", TYPE_SPIN, offsetof(UciOptions, elo), STRENGTH_ELO_MIN, STRENGTH_ELO_MAX},
    {"Cluster", TYPE_STRING, offsetof(UciOptions, cluster), 0, 0},
};
enum {
    OPTION_COUNT = sizeof option_table / sizeof option_table[0],
    SHOWN_BYTES_MAX = 64, /* of foreign text in a message */
};

static const Option *find_option(UciText name)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (uci_text_is(name, option_table[i].name)) {
            return &option_table[i];
        }
    }
    return NULL;
}

static void *field(UciOptions *options, const Option *option)
{
    return (char *)options + option->offset;
}

static const void *const_field(const UciOptions *options, const Option *option)
{
    return (const char *)options + option->offset;
}

static Status refuse(const Option *option, UciText value, const char *expected)
{
    char shown[SHOWN_BYTES_MAX];
    uci_text_copy(value, shown, sizeof shown);
    return status_error(STATUS_INVALID, "option %s: '%s' ignored, expected %s", option->name, shown,
                        expected);
}

static Status set_spin(const Option *option, UciText value, int *number)
{
    int64_t wanted = 0;
    if (!uci_text_number(value, &wanted) || wanted < option->minimum || wanted > option->maximum) {
        char expected[SHOWN_BYTES_MAX];
        (void)snprintf(expected, sizeof expected, "%d to %d", option->minimum, option->maximum);
        return refuse(option, value, expected);
    }
    *number = (int)wanted;
    return status_ok();
}

static Status set_check(const Option *option, UciText value, bool *flag)
{
    if (uci_text_is(value, "true")) {
        *flag = true;
    } else if (uci_text_is(value, "false")) {
        *flag = false;
    } else {
        return refuse(option, value, "true or false");
    }
    return status_ok();
}

/* The only string is an address, which is printable and not long; what it means is for others. */
static Status set_string(const Option *option, UciText value, char *string)
{
    if (value.length >= UCI_OPTION_CLUSTER_BYTES_MAX) {
        return refuse(option, value, "a shorter text");
    }
    if (uci_text_is(value, "<empty>")) {
        value.length = 0;
    }
    uci_text_copy(value, string, UCI_OPTION_CLUSTER_BYTES_MAX);
    return status_ok();
}

Status uci_options_set(UciOptions *options, UciText name, UciText value, UciOptionEffect *effect)
{
    *effect = UCI_OPTION_STORED;
    const Option *option = find_option(name);
    if (option == NULL) {
        char shown[SHOWN_BYTES_MAX];
        uci_text_copy(name, shown, sizeof shown);
        return status_error(STATUS_NOT_FOUND, "no option is called '%s'", shown);
    }
    switch (option->type) {
    case TYPE_SPIN:
        return set_spin(option, value, field(options, option));
    case TYPE_CHECK:
        return set_check(option, value, field(options, option));
    case TYPE_STRING:
        return set_string(option, value, field(options, option));
    case TYPE_BUTTON:
        break;
    }
    *effect = UCI_OPTION_CLEAR_HASH;
    return status_ok();
}

bool uci_options_line(const UciOptions *defaults, int index, char line[UCI_OPTION_LINE_BYTES_MAX])
{
    if (index >= OPTION_COUNT) {
        return false;
    }
    const Option *option = &option_table[index];
    const void *value = const_field(defaults, option);
    char kind[UCI_OPTION_CLUSTER_BYTES_MAX + 32] = "type button";
    switch (option->type) {
    case TYPE_SPIN:
        (void)snprintf(kind, sizeof kind, "type spin default %d min %d max %d", *(const int *)value,
                       option->minimum, option->maximum);
        break;
    case TYPE_CHECK:
        (void)snprintf(kind, sizeof kind, "type check default %s",
                       *(const bool *)value ? "true" : "false");
        break;
    case TYPE_STRING: {
        const char *string = value;
        (void)snprintf(kind, sizeof kind, "type string default %s",
                       string[0] == '\0' ? "<empty>" : string);
        break;
    }
    case TYPE_BUTTON:
        break;
    }
    (void)snprintf(line, UCI_OPTION_LINE_BYTES_MAX, "option name %s %s", option->name, kind);
    return true;
}
