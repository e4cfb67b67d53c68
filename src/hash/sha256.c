#include "hash/sha256.h"

#include <string.h>

#include "backend/kernels.h"
#include "base/bytes.h"

const uint32_t sha256_initial[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

const uint32_t sha256_round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

void sha256_init(struct sha256 *context)
{
    memcpy(context->state, sha256_initial, sizeof context->state);
    context->length = 0;
}

void sha256_update(struct sha256 *context, const void *data, size_t len)
{
    if (len == 0) {
        return;
    }
    const uint8_t *bytes = data;
    size_t used = context->length % 64;
    context->length += len;
    if (used != 0) {
        size_t room = 64 - used;
        if (len < room) {
            memcpy(context->buffer + used, bytes, len);
            return;
        }
        memcpy(context->buffer + used, bytes, room);
        kernels()->sha256_compress(context->state, context->buffer, 1);
        bytes += room;
        len -= room;
    }
    kernels()->sha256_compress(context->state, bytes, len / 64);
    memcpy(context->buffer, bytes + len / 64 * 64, len % 64);
}

void sha256_digest(const struct sha256 *context, uint8_t digest[32])
{
    uint8_t last[128] = {0};
    size_t used = context->length % 64;
    size_t n_blocks = used < 56 ? 1 : 2;
    memcpy(last, context->buffer, used);
    last[used] = 0x80;
    store_be64(last + 64 * n_blocks - 8, 8 * context->length);
    uint32_t state[8];
    memcpy(state, context->state, sizeof state);
    kernels()->sha256_compress(state, last, n_blocks);
    for (int i = 0; i < 8; i++) {
        store_be32(digest + 4 * i, state[i]);
    }
}

void sha256(uint8_t digest[32], const void *data, size_t len)
{
    struct sha256 context;
    sha256_init(&context);
    sha256_update(&context, data, len);
    sha256_digest(&context, digest);
}
