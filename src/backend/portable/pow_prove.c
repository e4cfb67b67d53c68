#include "backend/portable/sha256_kernels.h"

#include <string.h>

#include "base/bytes.h"
#include "hash/sha256.h"

/* The message of 40 bytes and its padding are one block. */
bool portable_pow_search(uint64_t *nonce, const uint8_t digest[32], unsigned bits, uint64_t first,
                         uint64_t count)
{
    uint8_t block[64] = {0};
    memcpy(block, digest, 32);
    block[40] = 0x80;
    store_be64(block + 56, 8 * 40);
    for (uint64_t i = 0; i < count; i++) {
        store_le64(block + 32, first + i);
        uint32_t state[8];
        memcpy(state, sha256_initial, sizeof state);
        portable_sha256_compress(state, block, 1);
        uint64_t head = (uint64_t)state[0] << 32 | state[1];
        if (head >> (64 - bits) == 0) {
            *nonce = first + i;
            return true;
        }
    }
    return false;
}
