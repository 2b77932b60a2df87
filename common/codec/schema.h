/*
 * Schema: the layout of every message, once for both directions.
 *
 * docs/protocol.md has the same as tables; a difference between the two is a mistake.
 */
#ifndef ROOKERY_CODEC_SCHEMA_H
#define ROOKERY_CODEC_SCHEMA_H

#include "codec/fields.h"

/*
 * Encoding: writes *message, which is only read. Decoding: reads it; the body of its type is
 * cleared before it is filled. The outcome is fields->error. Errors: DECODE_UNKNOWN_TYPE, and those
 * of fields.h.
 */
void schema_message(Fields *fields, Message *message);

#endif
