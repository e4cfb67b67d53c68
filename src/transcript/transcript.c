#include "transcript/transcript.h"

#include <string.h>

#include "base/bytes.h"

/* First bytes of what an operation appends (spec 02, 2.2.1 and 2.2.2). */
enum { TAG_DOMAIN = 1, TAG_LABEL = 2, TAG_ELEMENT = 3, TAG_SAMPLE = 4, TAG_BYTES = 5 };
enum { ONE = 1, VECTOR = 2 };

static void absorb_u64(struct transcript *t, uint64_t v)
{
    uint8_t bytes[8];
    store_le64(bytes, v);
    sha256_update(&t->state, bytes, sizeof bytes);
}

static void absorb_string(struct transcript *t, uint8_t tag, const void *bytes, size_t len)
{
    sha256_update(&t->state, &tag, 1);
    absorb_u64(t, len);
    sha256_update(&t->state, bytes, len);
}

static void absorb_kind(struct transcript *t, uint8_t tag, uint8_t kind)
{
    sha256_update(&t->state, (const uint8_t[2]){tag, kind}, 2);
}

void transcript_init(struct transcript *t, const void *domain, size_t domain_len)
{
    sha256_init(&t->state);
    absorb_string(t, TAG_DOMAIN, domain, domain_len);
}

void transcript_label(struct transcript *t, const char *label)
{
    absorb_string(t, TAG_LABEL, label, strlen(label));
}

void transcript_scalar(struct transcript *t, gf128 v)
{
    uint8_t bytes[16];
    gf128_store(bytes, v);
    absorb_kind(t, TAG_ELEMENT, ONE);
    sha256_update(&t->state, bytes, sizeof bytes);
}

void transcript_slice(struct transcript *t, const gf128 *v, size_t n)
{
    uint8_t bytes[64 * 16];
    absorb_kind(t, TAG_ELEMENT, VECTOR);
    absorb_u64(t, n);
    while (n > 0) {
        size_t run = n < 64 ? n : 64;
        for (size_t i = 0; i < run; i++) {
            gf128_store(bytes + 16 * i, v[i]);
        }
        sha256_update(&t->state, bytes, 16 * run);
        v += run;
        n -= run;
    }
}

void transcript_bytes(struct transcript *t, const void *bytes, size_t len)
{
    absorb_string(t, TAG_BYTES, bytes, len);
}

/*
 * n elements of the output stream, two from each digest of T' || counter; the output is absorbed
 * as it comes, while T' stays fixed.
 */
static void squeeze(struct transcript *t, gf128 *out, size_t n)
{
    const struct sha256 base = t->state;
    for (size_t i = 0; i < n; i += 2) {
        uint8_t counter[8], digest[32];
        struct sha256 state = base;
        store_le64(counter, i / 2);
        sha256_update(&state, counter, sizeof counter);
        sha256_digest(&state, digest);
        size_t taken = n - i < 2 ? 1 : 2;
        for (size_t j = 0; j < taken; j++) {
            out[i + j] = gf128_load(digest + 16 * j);
        }
        sha256_update(&t->state, digest, 16 * taken);
    }
}

gf128 transcript_sample(struct transcript *t)
{
    gf128 v;
    absorb_kind(t, TAG_SAMPLE, ONE);
    squeeze(t, &v, 1);
    return v;
}

void transcript_sample_vec(struct transcript *t, gf128 *out, size_t n)
{
    absorb_kind(t, TAG_SAMPLE, VECTOR);
    absorb_u64(t, n);
    squeeze(t, out, n);
}

void transcript_queries(struct transcript *t, uint32_t *positions, size_t Q, unsigned log_n)
{
    uint64_t mask = ((uint64_t)1 << log_n) - 1;
    size_t n = 0;
    while (n < Q) {
        uint32_t p = (uint32_t)(transcript_sample(t).lo & mask);
        size_t at = n;
        while (at > 0 && positions[at - 1] > p) {
            at--;
        }
        if (at > 0 && positions[at - 1] == p) {
            continue;
        }
        memmove(positions + at + 1, positions + at, (n - at) * sizeof *positions);
        positions[at] = p;
        n++;
    }
}

static bool has_leading_zeros(const struct transcript *t, unsigned bits,
                              const uint8_t nonce_bytes[8])
{
    uint8_t message[40], digest[32];
    sha256_digest(&t->state, message);
    memcpy(message + 32, nonce_bytes, 8);
    sha256(digest, message, sizeof message);
    uint64_t head = (uint64_t)load_be32(digest) << 32 | load_be32(digest + 4);
    return head >> (64 - bits) == 0;
}

bool transcript_check_nonce(struct transcript *t, unsigned bits, uint64_t nonce)
{
    uint8_t nonce_bytes[8];
    store_le64(nonce_bytes, nonce);
    if (bits > 63) {
        return false;
    }
    if (bits == 0 ? nonce != 0 : !has_leading_zeros(t, bits, nonce_bytes)) {
        return false;
    }
    transcript_bytes(t, nonce_bytes, sizeof nonce_bytes);
    return true;
}
