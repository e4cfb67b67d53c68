#include <string.h>

#include "base/bytes.h"
#include "hash/sha256.h"
#include "relation/digest.h"
#include "relation/inputs.h"

enum { READ_BYTES = 64 * 64 };

/* The next len bytes of the message; false if it ends before. */
static bool read_message(const flock_digest *digest, uint64_t at, uint8_t *out, size_t len)
{
    if (digest->message != NULL) {
        memcpy(out, digest->message + at, len);
        return true;
    }
    for (size_t have = 0, got; have < len; have += got) {
        got = digest->read == NULL ? 0 : digest->read(digest->read_context, out + have, len - have);
        if (got == 0 || got > len - have) {
            return false;
        }
    }
    return true;
}

flock_status digest_inputs(const flock_digest *digest, uint64_t slots, flock_sha256_input *inputs,
                           flock_statement *statement)
{
    uint32_t state[8];
    uint8_t buffer[READ_BYTES];
    uint64_t full_bytes = digest->message_bytes / 64 * 64;
    memcpy(state, sha256_initial, sizeof state);
    for (uint64_t at = 0; at < full_bytes;) {
        size_t len = full_bytes - at < READ_BYTES ? (size_t)(full_bytes - at) : READ_BYTES;
        if (!read_message(digest, at, buffer, len)) {
            return FLOCK_ERR_INPUT;
        }
        for (size_t i = 0; i < len; i += 64, at += 64) {
            sha256_step(inputs++, state, buffer + i);
        }
    }
    size_t tail = (size_t)(digest->message_bytes - full_bytes);
    if (!read_message(digest, full_bytes, statement->tail, tail)) {
        return FLOCK_ERR_INPUT;
    }
    struct padding padding = digest_padding(statement);
    for (unsigned j = 0; j < padding.n; j++) {
        sha256_step(inputs++, state, padding.blocks + 64 * j);
    }
    for (size_t w = 0; w < 8; w++) {
        store_be32(statement->digest + 4 * w, state[w]);
    }
    memset(buffer, 0, 64);
    for (uint64_t i = statement->count; i < slots; i++) {
        sha256_step(inputs++, state, buffer);
    }
    return FLOCK_OK;
}
