/*
 * UciText: words and numbers of a line of UCI input.
 *
 * A text is a borrowed range of bytes that may hold anything: NULs, control bytes, invalid UTF-8.
 * Every byte up to and including the space separates words, and so does DEL.
 */
#ifndef ROOKERY_UCI_BRIDGE_CORE_UCI_TEXT_H
#define ROOKERY_UCI_BRIDGE_CORE_UCI_TEXT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    const char *bytes; /* borrowed; not NUL-terminated */
    int length;        /* in bytes, not negative */
} UciText;

/* The text of a NUL-terminated string. */
UciText uci_text_of(const char *string);

/* Takes the next word off the front of `rest`; false, and an empty word, when there is none. */
bool uci_text_next(UciText *rest, UciText *word);

/* The next word without taking it; empty when there is none. */
UciText uci_text_peek(UciText rest);

/* The text without separators at either end. */
UciText uci_text_trim(UciText text);

/* Whether the text is exactly `string`; ASCII letters of either case are equal. */
bool uci_text_is(UciText text, const char *string);

/*
 * Reads a whole word as a decimal number, with a sign or none. A number too large for its type
 * becomes the largest (smallest) one. False for anything else; *number is then untouched.
 */
bool uci_text_number(UciText word, int64_t *number);

/* The word without a point and the digits, one or more, that it ends with: "1500.25" is "1500". */
UciText uci_text_without_fraction(UciText word);

/*
 * Copies at most `capacity` - 1 bytes and a NUL. Bytes that are not printable ASCII become '?', so
 * that what is printed stays one line.
 */
void uci_text_copy(UciText text, char *to, int capacity);

#endif
