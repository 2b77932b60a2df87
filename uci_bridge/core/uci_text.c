#include "uci_bridge/core/uci_text.h"

#include <string.h>

UciText uci_text_of(const char *string)
{
    return (UciText){.bytes = string, .length = (int)strlen(string)};
}

static bool is_separator(char byte)
{
    const unsigned char value = (unsigned char)byte;
    return value <= ' ' || value == 0x7F;
}

static char lower(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

static void skip(UciText *text, int count)
{
    text->bytes += count;
    text->length -= count;
}

bool uci_text_next(UciText *rest, UciText *word)
{
    while (rest->length > 0 && is_separator(rest->bytes[0])) {
        skip(rest, 1);
    }
    int length = 0;
    while (length < rest->length && !is_separator(rest->bytes[length])) {
        length++;
    }
    *word = (UciText){.bytes = rest->bytes, .length = length};
    skip(rest, length);
    return length > 0;
}

UciText uci_text_peek(UciText rest)
{
    UciText word;
    (void)uci_text_next(&rest, &word);
    return word;
}

UciText uci_text_trim(UciText text)
{
    while (text.length > 0 && is_separator(text.bytes[0])) {
        skip(&text, 1);
    }
    while (text.length > 0 && is_separator(text.bytes[text.length - 1])) {
        text.length--;
    }
    return text;
}

bool uci_text_is(UciText text, const char *string)
{
    for (int i = 0; i < text.length; i++) {
        if (string[i] == '\0' || lower(text.bytes[i]) != lower(string[i])) {
            return false;
        }
    }
    return string[text.length] == '\0';
}

bool uci_text_number(UciText word, int64_t *number)
{
    const bool has_sign = word.length > 0 && (word.bytes[0] == '-' || word.bytes[0] == '+');
    const bool is_negative = has_sign && word.bytes[0] == '-';
    if (word.length == (has_sign ? 1 : 0)) {
        return false;
    }
    int64_t value = 0; /* kept negative: the smallest number has no positive counterpart */
    for (int i = has_sign ? 1 : 0; i < word.length; i++) {
        const char byte = word.bytes[i];
        if (byte < '0' || byte > '9') {
            return false;
        }
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_sub_overflow(value, byte - '0', &value)) {
            value = INT64_MIN;
        }
    }
    if (!is_negative) {
        value = value == INT64_MIN ? INT64_MAX : -value;
    }
    *number = value;
    return true;
}

UciText uci_text_without_fraction(UciText word)
{
    int length = word.length;
    while (length > 0 && word.bytes[length - 1] >= '0' && word.bytes[length - 1] <= '9') {
        length--;
    }
    const bool has_fraction = length > 1 && length < word.length && word.bytes[length - 1] == '.';
    return (UciText){.bytes = word.bytes, .length = has_fraction ? length - 1 : word.length};
}

void uci_text_copy(UciText text, char *to, int capacity)
{
    const int length = text.length < capacity - 1 ? text.length : capacity - 1;
    for (int i = 0; i < length; i++) {
        const char byte = text.bytes[i];
        to[i] = byte >= ' ' && byte < 0x7F ? byte : '?';
    }
    to[length] = '\0';
}
