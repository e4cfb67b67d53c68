/*
 * Registers of clmul.h (CLMUL_LANES 2 or 4) as bytes, elements of GF(2^8), and as 64-bit words of
 * eight bytes each; with GFNI.
 */
#ifndef FLOCK_BACKEND_X86_BYTE_REGISTERS_H
#define FLOCK_BACKEND_X86_BYTE_REGISTERS_H

#include "backend/x86/clmul.h"

/* For loops over arrays that are meant to be registers, whatever the level of optimisation. */
#define UNROLLED _Pragma("GCC unroll 16")

/* This keeps a compiler from reading a value from memory again for each use. */
#define IN_REGISTER(vec) __asm__("" : "+v"(vec))

enum {
    WORDS = 2 * LANES, /* words in a register */
    PARTS = 8 / WORDS  /* registers for eight words */
};

#if CLMUL_LANES == 4

INLINE vec or3(vec a, vec b, vec c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0xfe);
}

INLINE vec and2(vec a, vec b)
{
    return _mm512_and_si512(a, b);
}

INLINE vec load_bytes(const void *p)
{
    return _mm512_loadu_si512(p);
}

INLINE void store_bytes(void *p, vec a)
{
    _mm512_storeu_si512(p, a);
}

/* *p in all words; in all quarters of four bytes. From memory that takes no operation. */
INLINE vec all_words(const uint64_t *p)
{
    return _mm512_set1_epi64((long long)*p);
}

INLINE vec all_quarters(const uint32_t *p)
{
    return _mm512_set1_epi32((int)*p);
}

/* In each word, the matrix times eight bytes. */
INLINE vec affine(vec bytes, vec matrices)
{
    return _mm512_gf2p8affine_epi64_epi8(bytes, matrices, 0);
}

INLINE vec times_bytes(vec a, vec b)
{
    return _mm512_gf2p8mul_epi8(a, b);
}

INLINE bool is_zero(vec a)
{
    return _mm512_test_epi64_mask(a, a) == 0;
}

/* Each of the 4 LANES bytes at p four times. */
INLINE vec spread_bytes(const uint8_t *p)
{
    vec quarters = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)p));
    return _mm512_shuffle_epi8(quarters, _mm512_set4_epi32(0x0c0c0c0c, 0x08080808, 0x04040404, 0));
}

#define UNPACK(half, bits, a, b) _mm512_unpack##half##_epi##bits(a, b)

#else

INLINE vec or3(vec a, vec b, vec c)
{
    return _mm256_or_si256(_mm256_or_si256(a, b), c);
}

INLINE vec and2(vec a, vec b)
{
    return _mm256_and_si256(a, b);
}

INLINE vec load_bytes(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

INLINE void store_bytes(void *p, vec a)
{
    _mm256_storeu_si256((__m256i *)p, a);
}

INLINE vec all_words(const uint64_t *p)
{
    return _mm256_set1_epi64x((long long)*p);
}

INLINE vec all_quarters(const uint32_t *p)
{
    return _mm256_set1_epi32((int)*p);
}

INLINE vec affine(vec bytes, vec matrices)
{
    return _mm256_gf2p8affine_epi64_epi8(bytes, matrices, 0);
}

INLINE vec times_bytes(vec a, vec b)
{
    return _mm256_gf2p8mul_epi8(a, b);
}

INLINE bool is_zero(vec a)
{
    return _mm256_testz_si256(a, a) != 0;
}

INLINE vec spread_bytes(const uint8_t *p)
{
    vec quarters = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p));
    return _mm256_shuffle_epi8(quarters, _mm256_set_epi32(0x0c0c0c0c, 0x08080808, 0x04040404, 0,
                                                          0x0c0c0c0c, 0x08080808, 0x04040404, 0));
}

#define UNPACK(half, bits, a, b) _mm256_unpack##half##_epi##bits(a, b)

#endif

/*
 * *p in all words, as matrices. If vgf2p8affineqb is to broadcast its matrix from memory by itself,
 * clang 14 encodes a displacement of up to 127 bytes eight times too large; then it has to be done
 * before.
 */
INLINE vec all_matrices(const uint64_t *p)
{
    vec matrices = all_words(p);
#ifdef __clang__
    __asm__("" : "+v"(matrices));
#endif
    return matrices;
}

/*
 * Byte b of word w of register r <-> byte r of word w of register b. Each step puts one bit of r
 * below the bits of b, and brings the highest bit of the position in 16 bytes into the register's
 * index; that is first a bit of w, which the last step puts back. 32 operations. In registers of
 * 512 bits 24 shuffles with masks could do it, but fewer ports take these, and masks have to be
 * moved.
 */
INLINE void transpose_words(vec v[8])
{
    vec s[8], t[8];
    UNROLLED
    for (int r = 0; r < 4; r++) { /* now s[4 w_0 + r] */
        s[r] = UNPACK(lo, 8, v[2 * r], v[2 * r + 1]);
        s[4 + r] = UNPACK(hi, 8, v[2 * r], v[2 * r + 1]);
    }
    UNROLLED
    for (int r = 0; r < 4; r++) { /* t[4 b_2 + 2 w_0 + r_2] */
        t[r] = UNPACK(lo, 16, s[2 * r], s[2 * r + 1]);
        t[4 + r] = UNPACK(hi, 16, s[2 * r], s[2 * r + 1]);
    }
    UNROLLED
    for (int r = 0; r < 4; r++) { /* s[4 b_1 + 2 b_2 + w_0] */
        s[r] = UNPACK(lo, 32, t[2 * r], t[2 * r + 1]);
        s[4 + r] = UNPACK(hi, 32, t[2 * r], t[2 * r + 1]);
    }
    UNROLLED
    for (int r = 0; r < 4; r++) { /* r = 2 b_1 + b_2 */
        int b = 4 * (r & 1) + (r & 2);
        v[b] = UNPACK(lo, 64, s[2 * r], s[2 * r + 1]);
        v[b + 1] = UNPACK(hi, 64, s[2 * r], s[2 * r + 1]);
    }
}

#endif
