#include "base/arguments.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_decimal(const char *text)
{
    const char *digits = text[0] == '-' ? text + 1 : text;
    return digits[0] != '\0' && digits[strspn(digits, "0123456789")] == '\0';
}

Status arguments_number(const char *name, const char *text, int64_t minimum, int64_t maximum,
                        int64_t *number)
{
    errno = 0;
    const long long value = is_decimal(text) ? strtoll(text, NULL, 10) : 0;
    if (!is_decimal(text) || errno == ERANGE || value < minimum || value > maximum) {
        return status_error(STATUS_INVALID,
                            "%s must be a number from %" PRId64 " to %" PRId64 ", not '%s'", name,
                            minimum, maximum, text);
    }
    *number = value;
    return status_ok();
}

/* The option that `word` names, alone or with "=value"; NULL if there is none. */
static const Argument *find_option(const char *word, const Argument *options, int option_count)
{
    for (int i = 0; i < option_count; i++) {
        const size_t length = strlen(options[i].name);
        if (strncmp(word, options[i].name, length) == 0 &&
            (word[length] == '\0' || word[length] == '=')) {
            return &options[i];
        }
    }
    return NULL;
}

static Status store(const Argument *option, const char *value)
{
    if (option->flag != NULL) {
        if (value != NULL) {
            return status_error(STATUS_INVALID, "option %s takes no value", option->name);
        }
        *option->flag = true;
        return status_ok();
    }
    if (value == NULL) {
        return status_error(STATUS_INVALID, "option %s needs a value", option->name);
    }
    if (option->text != NULL) {
        *option->text = value;
        return status_ok();
    }
    return arguments_number(option->name, value, option->minimum, option->maximum, option->number);
}

static Status append(char rest[ARGUMENTS_TEXT_BYTES_MAX], const char *word)
{
    const size_t used = strlen(rest);
    const size_t gap = used > 0 ? 1 : 0;
    const size_t length = strlen(word);
    if (used + gap + length >= ARGUMENTS_TEXT_BYTES_MAX) {
        return status_error(STATUS_INVALID, "more than %d bytes of text",
                            ARGUMENTS_TEXT_BYTES_MAX - 1);
    }
    if (gap > 0) {
        rest[used] = ' ';
    }
    memcpy(rest + used + gap, word, length + 1);
    return status_ok();
}

/* A lone "-" is a word: FEN uses it. */
static bool looks_like_option(const char *word)
{
    return word[0] == '-' && word[1] != '\0';
}

Status arguments_parse(char *const *words, int count, const Argument *options, int option_count,
                       char rest[ARGUMENTS_TEXT_BYTES_MAX])
{
    bool options_have_ended = false;
    Status status = status_ok();
    rest[0] = '\0';
    for (int i = 0; i < count && status_is_ok(&status); i++) {
        const char *word = words[i];
        if (options_have_ended || !looks_like_option(word)) {
            status = append(rest, word);
            continue;
        }
        if (strcmp(word, "--") == 0) {
            options_have_ended = true;
            continue;
        }
        const Argument *option = find_option(word, options, option_count);
        if (option == NULL) {
            return status_error(STATUS_INVALID, "unknown option '%s'", word);
        }
        const char *value = strchr(word, '=');
        if (value != NULL) {
            value++;
        } else if (option->flag == NULL && i + 1 < count) {
            value = words[++i];
        }
        status = store(option, value);
    }
    return status;
}
