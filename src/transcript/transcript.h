/*
 * The Fiat-Shamir transcript (spec 02, 2.2): one running SHA-256 whose input is every message and
 * every challenge. Prover and verifier call the same functions in the same order.
 */
#ifndef FLOCK_TRANSCRIPT_TRANSCRIPT_H
#define FLOCK_TRANSCRIPT_TRANSCRIPT_H

#include "field/gf128.h"
#include "hash/sha256.h"

struct transcript {
    struct sha256 state;
};

void transcript_init(struct transcript *t, const void *domain, size_t domain_len);

/* Absorb. */
void transcript_label(struct transcript *t, const char *label);
void transcript_scalar(struct transcript *t, gf128 v);
void transcript_slice(struct transcript *t, const gf128 *v, size_t n);
void transcript_bytes(struct transcript *t, const void *bytes, size_t len);

/* Squeeze. sample() and sample_vec(1) differ; sample_vec(0) still absorbs its tag. */
gf128 transcript_sample(struct transcript *t);
void transcript_sample_vec(struct transcript *t, gf128 *out, size_t n);

/* Q distinct positions below 2^log_n in ascending order (2.2.3); Q <= 2^log_n. */
void transcript_queries(struct transcript *t, uint32_t *positions, size_t Q, unsigned log_n);

/* Verifier's side of proof of work (2.2.4): checks the nonce (0 if bits = 0), then absorbs it. */
bool transcript_check_nonce(struct transcript *t, unsigned bits, uint64_t nonce);

/* Prover's side: finds the smallest nonce, absorbs it, returns it (prover only). */
struct prover_context;
uint64_t transcript_grind(struct transcript *t, unsigned bits, struct prover_context *context);

#endif
