#include "tools/sim/parcel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "codec/codec.h"

Parcel *parcel_new(PeerId peer, const Message *message)
{
    CodecBuffer buffer;
    const Status status = codec_encode(message, &buffer);
    if (!status_is_ok(&status)) {
        fprintf(stderr, "rookery-sim: %s\n", status.message);
        return NULL;
    }
    Parcel *parcel = malloc(sizeof *parcel + buffer.length);
    CHECK(parcel != NULL);
    parcel->peer = peer;
    parcel->length = buffer.length;
    memcpy(parcel->bytes, buffer.bytes, buffer.length);
    return parcel;
}

void parcel_open(Parcel *parcel, Message *message)
{
    const DecodeError error = codec_decode(parcel->bytes, parcel->length, message);
    CHECK(error == DECODE_OK);
    free(parcel);
}
