#include "support/support.h"

#include <openssl/sha.h>

json_t *vector_json(const char *path)
{
    char full[4096];
    snprintf(full, sizeof full, "%s/%s", FLOCK_VECTORS, path);
    json_error_t error;
    json_t *root = json_load_file(full, 0, &error);
    if (root == NULL) {
        fail_msg("%s: %s", full, error.text);
    }
    return root;
}

uint8_t *vector_bytes(const char *path, size_t *len)
{
    char full[4096];
    snprintf(full, sizeof full, "%s/%s", FLOCK_VECTORS, path);
    FILE *f = fopen(full, "rb");
    if (f == NULL) {
        fail_msg("cannot open %s", full);
    }
    fseek(f, 0, SEEK_END);
    *len = (size_t)ftell(f);
    rewind(f);
    uint8_t *bytes = malloc(*len + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *len, f), *len);
    fclose(f);
    return bytes;
}

json_t *get(const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    if (value == NULL) {
        fail_msg("no member \"%s\"", key);
    }
    return value;
}

json_t *at(const json_t *array, size_t index)
{
    json_t *value = json_array_get(array, index);
    if (value == NULL) {
        fail_msg("no item %zu", index);
    }
    return value;
}

const char *string_of(const json_t *value)
{
    const char *s = json_string_value(value);
    if (s == NULL) {
        fail_msg("not a string");
    }
    return s;
}

size_t size_of(const json_t *value)
{
    assert_true(json_is_integer(value));
    return (size_t)json_integer_value(value);
}

size_t get_size(const json_t *object, const char *key)
{
    return size_of(get(object, key));
}

const char *get_string(const json_t *object, const char *key)
{
    return string_of(get(object, key));
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    fail_msg("not a hex digit: %c", c);
    return 0;
}

void hex_to_bytes(const char *hex, uint8_t *out, size_t len)
{
    assert_int_equal(strlen(hex), 2 * len);
    for (size_t i = 0; i < len; i++) {
        out[i] = (uint8_t)(hex_digit(hex[2 * i]) << 4 | hex_digit(hex[2 * i + 1]));
    }
}

uint8_t *hex_alloc(const char *hex, size_t *len)
{
    *len = strlen(hex) / 2;
    uint8_t *bytes = malloc(*len + 1);
    assert_non_null(bytes);
    hex_to_bytes(hex, bytes, *len);
    return bytes;
}

gf128 hex_gf128(const char *hex)
{
    uint8_t bytes[16];
    hex_to_bytes(hex, bytes, 16);
    return gf128_load(bytes);
}

void json_gf128s(const json_t *array, gf128 *out, size_t n)
{
    assert_int_equal(json_array_size(array), n);
    for (size_t i = 0; i < n; i++) {
        out[i] = hex_gf128(string_of(at(array, i)));
    }
}

void assert_gf128_equal_at(gf128 a, gf128 b, const char *file, int line)
{
    if (!gf128_equal(a, b)) {
        print_error("%016llx:%016llx != %016llx:%016llx (hi:lo)\n", (unsigned long long)a.hi,
                    (unsigned long long)a.lo, (unsigned long long)b.hi, (unsigned long long)b.lo);
        _fail(file, line);
    }
}

void sha256_hex_of_bytes(const void *data, size_t len, char hex[65])
{
    uint8_t digest[32];
    SHA256(data, len, digest);
    for (int i = 0; i < 32; i++) {
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    }
}

void sha256_hex_of_gf128s(const gf128 *v, size_t n, char hex[65])
{
    uint8_t *bytes = malloc(16 * n + 1);
    assert_non_null(bytes);
    for (size_t i = 0; i < n; i++) {
        gf128_store(bytes + 16 * i, v[i]);
    }
    sha256_hex_of_bytes(bytes, 16 * n, hex);
    free(bytes);
}

uint64_t splitmix_next(struct splitmix *s)
{
    s->state += 0x9E3779B97F4A7C15u;
    uint64_t z = s->state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

gf128 splitmix_gf128(struct splitmix *s)
{
    gf128 v;
    v.lo = splitmix_next(s);
    v.hi = splitmix_next(s);
    return v;
}

static const flock_options default_options;

void test_context_init(struct prover_context *context, unsigned threads)
{
    memset(context, 0, sizeof *context);
    memory_init(&context->memory);
    context->threads = threads;
    context->options = &default_options;
    prover_enter(context, FLOCK_PHASE_WITNESS, "test");
}

void test_context_release(struct prover_context *context)
{
    memory_release(&context->memory);
}

flock_status test_tree_build(struct prover_context *context, struct tree *tree, const gf128 *rows,
                             size_t row_elements, unsigned log_leaves, unsigned log_part)
{
    flock_status status = tree_take(context, tree, log_leaves);
    if (status == FLOCK_OK) {
        for (size_t first = 0; first < (size_t)1 << log_leaves; first += (size_t)1 << log_part) {
            tree_hash_part(tree, rows + first * row_elements, row_elements, first, log_part, 0);
        }
        tree_finish(context, tree, log_part);
    }
    return status;
}
