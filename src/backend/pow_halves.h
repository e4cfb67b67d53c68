/* A proof-of-work search over stretches of nonces that share their upper 32 bits. */
#ifndef FLOCK_BACKEND_POW_HALVES_H
#define FLOCK_BACKEND_POW_HALVES_H

#include <stdbool.h>
#include <stdint.h>

typedef bool pow_search_function(uint64_t *nonce, const uint8_t digest[32], unsigned bits,
                                 uint64_t first, uint64_t count);

/* search() gets ranges without a carry out of the lower half. */
static inline bool pow_search_by_halves(pow_search_function *search, uint64_t *nonce,
                                        const uint8_t digest[32], unsigned bits, uint64_t first,
                                        uint64_t count)
{
    while (count > 0) {
        uint64_t same_half = ((uint64_t)1 << 32) - (uint32_t)first;
        uint64_t taken = count < same_half ? count : same_half;
        if (search(nonce, digest, bits, first, taken)) {
            return true;
        }
        first += taken;
        count -= taken;
    }
    return false;
}

#endif
