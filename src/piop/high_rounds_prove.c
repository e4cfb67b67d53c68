#include "piop/high_rounds.h"

#include "backend/kernels.h"
#include "base/prover_context.h"

enum {
    CHUNK = 1 << 9,        /* four arrays of so many elements fit the L1 cache */
    LEAST_PARTED = 1 << 12 /* below this one thread is faster */
};

struct parts {
    void (*body)(const void *argument, size_t part, size_t begin, size_t end);
    const void *argument;
    size_t length;
};

static void run_part(void *context, size_t part)
{
    const struct parts *parts = context;
    parts->body(parts->argument, part, part * parts->length, (part + 1) * parts->length);
}

size_t high_parts(struct prover_context *context, size_t half, size_t least,
                  void (*body)(const void *argument, size_t part, size_t begin, size_t end),
                  const void *argument)
{
    size_t n_parts = half < least ? 1 : half / (least / 8);
    n_parts = n_parts > HIGH_MAX_PARTS ? HIGH_MAX_PARTS : n_parts;
    struct parts parts = {body, argument, half / n_parts};
    parallel_for(context->threads, n_parts, run_part, &parts);
    return n_parts;
}

static void add_halves(gf128 *out, const gf128 *low, const gf128 *high, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = gf128_add(low[i], high[i]);
    }
}

static size_t chunk_end(size_t at, size_t end)
{
    return end - at < CHUNK ? end : at + CHUNK;
}

struct message_job {
    const gf128 *f, *w;
    size_t half;
    gf128 (*sums)[2]; /* of each part */
};

static void message_part(const void *argument, size_t part, size_t begin, size_t end)
{
    const struct message_job *job = argument;
    gf128 f[CHUNK], w[CHUNK], *sums = job->sums[part];
    sums[0] = sums[1] = GF128_ZERO;
    for (size_t at = begin, next; at < end; at = next) {
        next = chunk_end(at, end);
        const gf128 *f_high = job->f + job->half + at, *w_high = job->w + job->half + at;
        add_halves(f, job->f + at, f_high, next - at);
        add_halves(w, job->w + at, w_high, next - at);
        sums[0] = gf128_add(sums[0], kernels()->dot(f_high, w_high, next - at));
        sums[1] = gf128_add(sums[1], kernels()->dot(f, w, next - at));
    }
}

void high_message(struct prover_context *context, gf128 message[2], const gf128 *f, const gf128 *w,
                  size_t half)
{
    message[0] = message[1] = GF128_ZERO;
    if (half < LEAST_PARTED) {
        prover_kernels()->product_message_high(message, f, w, half);
        return;
    }
    gf128 sums[HIGH_MAX_PARTS][2];
    struct message_job job = {f, w, half, sums};
    size_t n_parts = high_parts(context, half, LEAST_PARTED, message_part, &job);
    for (size_t part = 0; part < n_parts; part++) {
        message[0] = gf128_add(message[0], sums[part][0]);
        message[1] = gf128_add(message[1], sums[part][1]);
    }
}

struct fold_job {
    gf128 *const *arrays;
    size_t n_arrays, half;
    gf128 r;
};

static void fold_part(const void *argument, size_t part, size_t begin, size_t end)
{
    const struct fold_job *job = argument;
    gf128 slope[CHUNK];
    (void)part;
    for (size_t k = 0; k < job->n_arrays; k++) {
        gf128 *f = job->arrays[k];
        for (size_t at = begin, next; at < end; at = next) {
            next = chunk_end(at, end);
            add_halves(slope, f + at, f + job->half + at, next - at);
            kernels()->axpy(f + at, slope, job->r, next - at);
        }
    }
}

void high_fold(struct prover_context *context, gf128 *const *arrays, size_t n_arrays, size_t half,
               gf128 r)
{
    if (half < LEAST_PARTED) {
        for (size_t k = 0; k < n_arrays; k++) {
            kernels()->fold_high(arrays[k], half, r);
        }
        return;
    }
    struct fold_job job = {arrays, n_arrays, half, r};
    high_parts(context, half, LEAST_PARTED, fold_part, &job);
}
