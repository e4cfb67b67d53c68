#include "native.h"

#include <math.h>
#include <string.h>

#include "backend/portable/sha256_kernels.h"
#include "base/clock.h"
#include "hash/blake3.h"
#include "hash/keccak.h"

enum {
    INPUTS = 64,   /* independent ones, which stay in the L1 cache */
    STRETCH = 4096 /* evaluations between two looks at the clock: a millisecond or two */
};

static void evaluate_blake3(void)
{
    static uint32_t cv[INPUTS][8], message[INPUTS][16];
    for (size_t i = 0; i < STRETCH; i++) {
        uint32_t out[16];
        blake3_compress(out, cv[i % INPUTS], message[i % INPUTS], 0, 64, 0);
        memcpy(cv[i % INPUTS], out, sizeof cv[0]);
    }
}

static void evaluate_sha256(void)
{
    static uint32_t state[INPUTS][8];
    static uint8_t message[INPUTS][64];
    for (size_t i = 0; i < STRETCH; i++) {
        portable_sha256_compress(state[i % INPUTS], message[i % INPUTS], 1);
    }
}

static void evaluate_keccak(void)
{
    static uint64_t lanes[INPUTS][KECCAK_LANES];
    for (size_t i = 0; i < STRETCH; i++) {
        keccak_f1600(lanes[i % INPUTS]);
    }
}

static const struct {
    void (*evaluate)(void);
    double expected;
} hashes[] = {
    [FLOCK_BLAKE3] = {evaluate_blake3, 6.0e6},
    [FLOCK_SHA256] = {evaluate_sha256, 3.4e6},
    [FLOCK_KECCAK] = {evaluate_keccak, 1.5e6},
    [FLOCK_KECCAK3] = {evaluate_keccak, 1.5e6},
};

double native_rate(flock_circuit circuit, double seconds, double *peak)
{
    double begin = monotonic_seconds(), now = begin;
    unsigned stretches = 0;
    do {
        double before = now;
        hashes[circuit].evaluate();
        now = monotonic_seconds();
        *peak = fmax(*peak, STRETCH / (now - before));
        stretches++;
    } while (now - begin < seconds);
    return stretches * (double)STRETCH / (now - begin);
}

double native_rate_expected(flock_circuit circuit)
{
    return hashes[circuit].expected;
}
