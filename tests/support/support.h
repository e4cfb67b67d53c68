/* What the tests share: cmocka, vectors in JSON, hex, pseudo-random data. */
#ifndef FLOCK_TESTS_SUPPORT_H
#define FLOCK_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/prover_context.h"
#include "field/gf128.h"
#include "tree/tree.h"

/* Built with a sanitizer: many times slower. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* A vector file, e.g. vector_json("fields/gf8.json"); fails the test if it cannot be read. */
json_t *vector_json(const char *path);
/* A binary vector file; *len bytes, to be freed. */
uint8_t *vector_bytes(const char *path, size_t *len);

/* Members that must be there, with their type; all fail the test otherwise. */
json_t *get(const json_t *object, const char *key);
json_t *at(const json_t *array, size_t index);
size_t get_size(const json_t *object, const char *key);
const char *get_string(const json_t *object, const char *key);
const char *string_of(const json_t *value);
size_t size_of(const json_t *value);

/* Hex: decodes into out; fails the test unless it is exactly len bytes. */
void hex_to_bytes(const char *hex, uint8_t *out, size_t len);
/* Decodes hex of any length; *len bytes, to be freed. */
uint8_t *hex_alloc(const char *hex, size_t *len);
gf128 hex_gf128(const char *hex);
/* An array of hex strings to elements; fails unless it has n of them. */
void json_gf128s(const json_t *array, gf128 *out, size_t n);

void assert_gf128_equal_at(gf128 a, gf128 b, const char *file, int line);
#define assert_gf128_equal(a, b) assert_gf128_equal_at(a, b, __FILE__, __LINE__)

/* SHA-256 of the wire encoding of n elements as lower-case hex (by OpenSSL). */
void sha256_hex_of_gf128s(const gf128 *v, size_t n, char hex[65]);
void sha256_hex_of_bytes(const void *data, size_t len, char hex[65]);

/* SplitMix64, the generator of all vectors: spec 08, 8.3. */
struct splitmix {
    uint64_t state;
};
uint64_t splitmix_next(struct splitmix *s);
gf128 splitmix_gf128(struct splitmix *s); /* lo, then hi */

/* A prover context for tests: default options, `threads` threads. */
void test_context_init(struct prover_context *context, unsigned threads);
void test_context_release(struct prover_context *context);

/* The tree of 2^log_leaves rows, hashed in parts of 2^log_part. */
flock_status test_tree_build(struct prover_context *context, struct tree *tree, const gf128 *rows,
                             size_t row_elements, unsigned log_leaves, unsigned log_part);

#endif
