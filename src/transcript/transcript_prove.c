#include "transcript/transcript.h"

#include <stdatomic.h>
#include <string.h>

#include "backend/kernels.h"
#include "base/bytes.h"
#include "base/prover_context.h"

enum { RUNS = 256 };

/* A stretch of RUNS consecutive runs of nonces; a hit makes the runs after it pointless. */
struct stretch {
    uint8_t digest[32];
    unsigned bits;
    uint64_t first;
    uint64_t run_length;
    atomic_size_t first_hit; /* the lowest run known to hold a valid nonce, or RUNS */
    uint64_t nonces[RUNS];
};

static void search_run(void *context, size_t run)
{
    struct stretch *s = context;
    size_t hit = atomic_load_explicit(&s->first_hit, memory_order_relaxed);
    if (run > hit) {
        return;
    }
    uint64_t first = s->first + run * s->run_length;
    if (!prover_kernels()->pow_search(&s->nonces[run], s->digest, s->bits, first, s->run_length)) {
        return;
    }
    while (run < hit && !atomic_compare_exchange_weak_explicit(
                            &s->first_hit, &hit, run, memory_order_relaxed, memory_order_relaxed)) {
    }
}

/*
 * Every run below the final first_hit was searched to its end, so nonces[first_hit] is the smallest
 * valid nonce. A run is short against the 2^bits trials expected in all, but long enough to be
 * worth handing to a thread; below 2^10 trials one thread is faster.
 */
static uint64_t smallest_nonce(const uint8_t digest[32], unsigned bits, unsigned threads)
{
    unsigned log_run = bits < 14 ? 8 : bits > 20 ? 14 : bits - 6;
    struct stretch s = {.bits = bits, .run_length = (uint64_t)1 << log_run};
    memcpy(s.digest, digest, sizeof s.digest);
    for (;;) {
        atomic_init(&s.first_hit, RUNS);
        parallel_for(bits < 10 ? 1 : threads, RUNS, search_run, &s);
        size_t hit = atomic_load_explicit(&s.first_hit, memory_order_relaxed);
        if (hit < RUNS) {
            return s.nonces[hit];
        }
        s.first += RUNS * s.run_length;
    }
}

uint64_t transcript_grind(struct transcript *t, unsigned bits, struct prover_context *context)
{
    uint64_t nonce = 0;
    if (bits != 0) {
        const flock_part before = context->parts[context->current];
        prover_enter(context, FLOCK_PHASE_GRIND, "nonces");
        uint8_t digest[32];
        sha256_digest(&t->state, digest);
        nonce = smallest_nonce(digest, bits, context->threads);
        prover_enter(context, before.phase, before.name);
    }
    uint8_t nonce_bytes[8];
    store_le64(nonce_bytes, nonce);
    transcript_bytes(t, nonce_bytes, sizeof nonce_bytes);
    return nonce;
}
