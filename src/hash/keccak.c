#include "hash/keccak.h"

const uint64_t keccak_round_constants[KECCAK_ROUNDS] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

const uint8_t keccak_rotations[KECCAK_LANES] = {
    0,  1,  62, 28, 27, /* y = 0 */
    36, 44, 6,  55, 20, /* y = 1 */
    3,  10, 43, 25, 39, /* y = 2 */
    41, 45, 15, 21, 8,  /* y = 3 */
    18, 2,  61, 56, 14, /* y = 4 */
};

static inline uint64_t rotl(uint64_t v, int n)
{
    return v << (n & 63) | v >> (-n & 63);
}

void keccak_linear(uint64_t out[KECCAK_LANES], const uint64_t in[KECCAK_LANES])
{
    uint64_t column[5], theta[5];
    for (int x = 0; x < 5; x++) {
        column[x] = in[x] ^ in[x + 5] ^ in[x + 10] ^ in[x + 15] ^ in[x + 20];
    }
    for (int x = 0; x < 5; x++) {
        theta[x] = column[(x + 4) % 5] ^ rotl(column[(x + 1) % 5], 1);
    }
    for (int y = 0; y < 5; y++) {
        for (int x = 0; x < 5; x++) {
            int l = keccak_source(x, y);
            out[x + 5 * y] = rotl(in[l] ^ theta[l % 5], keccak_rotations[l]);
        }
    }
}

void keccak_f1600(uint64_t lanes[KECCAK_LANES])
{
    uint64_t b[KECCAK_LANES];
    for (int r = 0; r < KECCAK_ROUNDS; r++) {
        keccak_linear(b, lanes);
        for (int y = 0; y < KECCAK_LANES; y += 5) {
            for (int x = 0; x < 5; x++) {
                lanes[x + y] = b[x + y] ^ (~b[(x + 1) % 5 + y] & b[(x + 2) % 5 + y]);
            }
        }
        lanes[0] ^= keccak_round_constants[r];
    }
}
