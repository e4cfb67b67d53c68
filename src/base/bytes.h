/* Little- and big-endian loads and stores of integers, independent of the machine's byte order. */
#ifndef FLOCK_BASE_BYTES_H
#define FLOCK_BASE_BYTES_H

#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define FLOCK_BIG_ENDIAN 1
#else
#define FLOCK_BIG_ENDIAN 0
#endif

static inline uint16_t load_le16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t load_le32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t load_le64(const uint8_t *p)
{
    return (uint64_t)load_le32(p) | (uint64_t)load_le32(p + 4) << 32;
}

static inline uint32_t load_be32(const uint8_t *p)
{
    return (uint32_t)p[3] | (uint32_t)p[2] << 8 | (uint32_t)p[1] << 16 | (uint32_t)p[0] << 24;
}

/*
 * Stores are copies of a word in the right byte order: compilers make poor loops of many bytes that
 * are shifted out one by one.
 */
static inline void store_le16(uint8_t *p, uint16_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

static inline void store_le32(uint8_t *p, uint32_t v)
{
    uint32_t word = FLOCK_BIG_ENDIAN ? __builtin_bswap32(v) : v;
    memcpy(p, &word, sizeof word);
}

static inline void store_le64(uint8_t *p, uint64_t v)
{
    uint64_t word = FLOCK_BIG_ENDIAN ? __builtin_bswap64(v) : v;
    memcpy(p, &word, sizeof word);
}

static inline void store_be32(uint8_t *p, uint32_t v)
{
    uint32_t word = FLOCK_BIG_ENDIAN ? v : __builtin_bswap32(v);
    memcpy(p, &word, sizeof word);
}

static inline void store_be64(uint8_t *p, uint64_t v)
{
    uint64_t word = FLOCK_BIG_ENDIAN ? v : __builtin_bswap64(v);
    memcpy(p, &word, sizeof word);
}

#endif
