/*
 * Hostile input: malformed, truncated and altered files of both formats, and the published
 * forgeries. Every one must be answered with a status; ASan and UBSan runs show the rest.
 */
#include "support/support.h"
#include "support/chains.h"
#include "support/hostile.h"

#include <flock/prove.h>
#include <flock/verify.h>

#include "relation/chain.h"
#include "wire/proof_file.h"

struct bytes {
    uint8_t *data;
    size_t len;
};

static struct bytes prove(flock_chain chain)
{
    struct bytes proof;
    assert_int_equal(flock_prove_chain(&chain, NULL, &proof.data, &proof.len, NULL), FLOCK_OK);
    return proof;
}

static struct bytes native_proof(void)
{
    return prove((flock_chain){.steps = 5, .profile = FLOCK_SLIM, .seed = 11});
}

static struct bytes reference_proof(void)
{
    return prove((flock_chain){.format = FLOCK_REFERENCE, .profile = FLOCK_SLIM, .steps = 256});
}

static flock_status verify(const uint8_t *data, size_t len)
{
    flock_statement statement;
    return flock_verify(data, len, &statement);
}

/* Runs the verifier on a copy of exactly len bytes, so that ASan sees any read beyond. */
static flock_status verify_copy(const uint8_t *data, size_t len)
{
    uint8_t *copy = malloc(len > 0 ? len : 1);
    assert_non_null(copy);
    memcpy(copy, data, len);
    flock_status status = verify(copy, len);
    free(copy);
    return status;
}

/* ---- the published list ---- */

static struct bytes apply_edits(const uint8_t *base, size_t base_len, const json_t *edits)
{
    struct bytes out = {malloc(base_len + 65536), 0};
    assert_non_null(out.data);
    size_t from = 0;
    for (size_t i = 0; i < json_array_size(edits); i++) {
        const json_t *edit = at(edits, i);
        size_t offset = get_size(edit, "offset"), inserted;
        assert_true(offset >= from && offset <= base_len);
        memcpy(out.data + out.len, base + from, offset - from);
        out.len += offset - from;
        uint8_t *insert = hex_alloc(get_string(edit, "insert"), &inserted);
        assert_true(inserted <= 65536);
        memcpy(out.data + out.len, insert, inserted);
        out.len += inserted;
        free(insert);
        from = offset + get_size(edit, "delete");
    }
    memcpy(out.data + out.len, base + from, base_len - from);
    out.len += base_len - from;
    return out;
}

static void test_malformed_vectors(void **state)
{
    (void)state;
    size_t base_len, n_reject = 0;
    uint8_t *base = vector_bytes("proofs/keccak_chain_64_fast.bin", &base_len);
    json_t *file = vector_json("transcript/malformed_keccak_chain.json");
    const json_t *cases = get(file, "cases");
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *entry = at(cases, i);
        struct bytes edited = apply_edits(base, base_len, get(entry, "edits"));
        char hex[65];
        sha256_hex_of_bytes(edited.data, edited.len, hex);
        assert_string_equal(hex, get_string(entry, "sha256"));
        bool accept = strcmp(get_string(entry, "required"), "accept") == 0;
        flock_status status = verify_copy(edited.data, edited.len);
        if ((status == FLOCK_OK) != accept) {
            fail_msg("%s: %s", get_string(entry, "name"), flock_status_text(status));
        }
        n_reject += !accept;
        free(edited.data);
    }
    assert_true(n_reject >= 77);
    json_decref(file);
    free(base);
}

/* ---- truncation and single bytes ---- */

static void assert_truncations_rejected(struct bytes proof, size_t step)
{
    for (size_t len = 0; len < proof.len; len += len < 4096 || len + 4096 > proof.len ? 1 : step) {
        assert_int_not_equal(verify_copy(proof.data, len), FLOCK_OK);
    }
}

static void test_truncation(void **state)
{
    (void)state;
    struct bytes native = native_proof(), reference = reference_proof();
    assert_truncations_rejected(native, 1);
    assert_truncations_rejected(reference, 61);
    flock_free(native.data);
    flock_free(reference.data);
}

static void test_every_byte_of_a_native_proof(void **state)
{
    (void)state;
    struct bytes proof = native_proof();
    assert_int_equal(verify(proof.data, proof.len), FLOCK_OK);
    assert_flips_rejected(proof.data, proof.len, NULL, proof.len);
    flock_free(proof.data);
}

static void test_random_bytes(void **state)
{
    (void)state;
    enum { N = 1000 };
    struct bytes proofs[2] = {
        reference_proof(),
        prove((flock_chain){.steps = 300, .layout = FLOCK_BATCH_MAJOR, .profile = FLOCK_FAST})};
    size_t positions[N];
    for (size_t p = 0; p < 2; p++) {
        struct splitmix s = {.state = 77 + p};
        for (size_t i = 0; i < N; i++) {
            /* Half of them in the small parts at both ends, which hold most of the structure. */
            uint64_t random = splitmix_next(&s);
            positions[i] = i % 4 == 0   ? random % 8192
                           : i % 4 == 1 ? proofs[p].len - 1 - random % 4096
                                        : random % proofs[p].len;
        }
        assert_flips_rejected(proofs[p].data, proofs[p].len, positions, N);
        flock_free(proofs[p].data);
    }
}

static void test_extra_bytes(void **state)
{
    (void)state;
    struct bytes proofs[2] = {native_proof(), reference_proof()};
    for (size_t p = 0; p < 2; p++) {
        size_t len = proofs[p].len;
        uint8_t *longer = calloc(1, len + 3);
        assert_non_null(longer);
        memcpy(longer, proofs[p].data, len);
        assert_int_equal(verify(longer, len), FLOCK_OK);
        assert_int_equal(verify(longer, len + 1), FLOCK_ERR_TRAILING);
        assert_int_equal(verify(longer, len + 3), FLOCK_ERR_TRAILING);
        free(longer);
        flock_free(proofs[p].data);
    }
}

/* ---- sections ---- */

static void swap_runs(uint8_t *data, size_t a, size_t b, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        uint8_t byte = data[a + i];
        data[a + i] = data[b + i];
        data[b + i] = byte;
    }
}

static void assert_swap_rejected(struct bytes proof, size_t a, size_t b, size_t len)
{
    assert_memory_not_equal(proof.data + a, proof.data + b, len);
    swap_runs(proof.data, a, b, len);
    assert_int_not_equal(verify(proof.data, proof.len), FLOCK_OK);
    swap_runs(proof.data, a, b, len);
}

static size_t section_offset(struct bytes proof, const char *name)
{
    flock_section sections[16];
    size_t n = 16;
    assert_int_equal(flock_proof_sections(proof.data, proof.len, sections, &n), FLOCK_OK);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(sections[i].name, name) == 0) {
            return sections[i].offset;
        }
    }
    fail_msg("no section %s", name);
    return 0;
}

static void test_swapped_sections(void **state)
{
    (void)state;
    struct bytes proofs[2] = {native_proof(), reference_proof()};
    for (size_t p = 0; p < 2; p++) {
        struct bytes proof = proofs[p];
        size_t zerocheck = section_offset(proof, "zerocheck");
        assert_swap_rejected(proof, zerocheck + 8, zerocheck + 8 + 1024 + 8, 1024);
        assert_swap_rejected(proof, zerocheck + 2064 + 8, zerocheck + 2064 + 8 + 32, 32);
        size_t ring = section_offset(proof, "ring switching");
        assert_swap_rejected(proof, ring + 16, ring + 16 + 2048 + 8, 2048);
        size_t level = section_offset(proof, "opening: level 0");
        size_t row = load_le64(proof.data + level + 40) * 16;
        assert_swap_rejected(proof, level + 48, level + 48 + row + 8, row);
        size_t last = section_offset(proof, "opening: sumcheck and nonces");
        assert_swap_rejected(proof, last + 8, last + 8 + 32, 32);
        flock_free(proof.data);
    }
}

static void test_sections_cover_the_file(void **state)
{
    (void)state;
    struct bytes proofs[2] = {native_proof(), reference_proof()};
    for (size_t p = 0; p < 2; p++) {
        flock_section sections[16];
        size_t n = 16, end = 0;
        assert_int_equal(flock_proof_sections(proofs[p].data, proofs[p].len, sections, &n),
                         FLOCK_OK);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(sections[i].offset, end);
            end += sections[i].bytes;
        }
        assert_int_equal(end, proofs[p].len);
        flock_free(proofs[p].data);
    }
}

/* A proof does not move to another statement: count, endpoints, profile, layout, circuit. */
static void test_other_statement(void **state)
{
    (void)state;
    struct bytes a = prove((flock_chain){.steps = 5, .seed = 1});
    struct bytes b = prove((flock_chain){.steps = 6, .seed = 1});
    size_t head = section_offset(a, "commitment");
    assert_int_equal(head, section_offset(b, "commitment"));
    struct bytes mixed = {malloc(b.len), b.len};
    assert_non_null(mixed.data);
    memcpy(mixed.data, a.data, head);
    memcpy(mixed.data + head, b.data + head, b.len - head);
    assert_int_not_equal(verify(mixed.data, mixed.len), FLOCK_OK);

    flock_statement statement;
    assert_int_equal(flock_verify(a.data, a.len, &statement), FLOCK_OK);
    assert_int_equal(flock_verify_expect(a.data, a.len, &statement), FLOCK_OK);
    flock_statement other = statement;
    other.count = 6;
    assert_int_equal(flock_verify_expect(a.data, a.len, &other), FLOCK_ERR_STATEMENT);
    other = statement;
    other.end[31] ^= 0x80;
    assert_int_equal(flock_verify_expect(a.data, a.len, &other), FLOCK_ERR_STATEMENT);
    other = statement;
    other.start[0] ^= 1;
    assert_int_equal(flock_verify_expect(a.data, a.len, &other), FLOCK_ERR_STATEMENT);
    other = statement;
    other.profile = FLOCK_SECURE;
    assert_int_equal(flock_verify_expect(a.data, a.len, &other), FLOCK_ERR_STATEMENT);
    free(mixed.data);
    flock_free(a.data);
    flock_free(b.data);
}

/* ---- endpoints that are not bound ---- */

/* The published false endpoints: accepted in the reference format, as its own verifier does. */
static void test_published_forgeries(void **state)
{
    (void)state;
    size_t len;
    uint8_t *forged = vector_bytes("proofs/FALSE_blake3_chain_256_fast_forged_endpoint.bin", &len);
    flock_statement statement;
    assert_int_equal(flock_verify(forged, len, &statement), FLOCK_OK);
    assert_int_equal(statement.format, FLOCK_REFERENCE);
    free(forged);

    uint8_t *honest = vector_bytes("proofs/blake3_chain_256_fast_seed0.bin", &len);
    json_t *file = vector_json("chain/forged_endpoints.json");
    uint8_t end[32];
    hex_to_bytes(get_string(get(file, "blake3_256_row_major"), "forged_xlast_phys"), end, 32);
    for (size_t p = 0; p < 256; p++) {
        honest[len - 256 + p] = end[p / 8] >> (p % 8) & 1;
    }
    assert_int_equal(flock_verify(honest, len, &statement), FLOCK_OK);
    assert_memory_equal(statement.end, end, 32);
    json_decref(file);
    free(honest);
}

/* The reference's program accepts this all-zero Keccak "chain"; nobody else may. */
static void test_all_zero_keccak(void **state)
{
    (void)state;
    size_t len;
    uint8_t *data = vector_bytes("chain/forged_keccak_all_zero_64.bin", &len);
    flock_statement statement;
    flock_status status = flock_verify(data, len, &statement);
    assert_int_equal(statement.circuit, FLOCK_KECCAK);
    assert_int_equal(status, FLOCK_REJECT_LINCHECK);
    free(data);
}

/* tau_pos of a proof, which everybody can compute. */
static gf128 replay_tau_pos(struct bytes proof)
{
    static struct proof_file file;
    struct transcript t;
    struct claims claims;
    struct chain_challenges challenges;
    assert_int_equal(proof_file_read(proof.data, proof.len, &file, NULL), FLOCK_OK);
    replay_to_glue(&file, REFERENCE_CHAIN_DOMAIN, &t, &claims);
    chain_sample(&t, &file.setup, &challenges);
    return challenges.tau_pos[0];
}

/* The attack of spec 04, 11.2: the fold of an endpoint is all that a proof depends on. */
static void test_our_own_forgery(void **state)
{
    (void)state;
    gf128 c = {0x0123456789abcdef, 0xfedcba9876543210};
    flock_statement honest, forged;

    struct bytes reference = reference_proof();
    assert_int_equal(flock_verify(reference.data, reference.len, &honest), FLOCK_OK);
    gf128 tau_pos = replay_tau_pos(reference);
    uint8_t end[32];
    memcpy(end, honest.end, 32);
    add_invisible(end, tau_pos, c);
    assert_memory_not_equal(end, honest.end, 32);
    for (size_t p = 0; p < 256; p++) {
        reference.data[reference.len - 256 + p] = end[p / 8] >> (p % 8) & 1;
    }
    assert_int_equal(flock_verify(reference.data, reference.len, &forged), FLOCK_OK);
    assert_memory_equal(forged.end, end, 32);
    assert_int_equal(flock_verify_expect(reference.data, reference.len, &honest),
                     FLOCK_ERR_STATEMENT);
    flock_free(reference.data);

    struct bytes native = native_proof();
    assert_int_equal(flock_verify(native.data, native.len, &honest), FLOCK_OK);
    tau_pos = replay_tau_pos(native);
    size_t commitment = section_offset(native, "commitment");
    add_invisible(native.data + commitment - 32, tau_pos, c);
    flock_status status = flock_verify(native.data, native.len, &forged);
    assert_int_equal(status, FLOCK_REJECT_ZEROCHECK);
    assert_memory_not_equal(forged.end, honest.end, 32);
    flock_free(native.data);
}

/* A bound domain is a domain: without it the proof does not verify, with it endpoints are bound. */
static void test_bound_domain(void **state)
{
    (void)state;
    static const char domain[] = "an application's domain with x_0 and x_N in it";
    struct bytes proof = prove((flock_chain){.format = FLOCK_REFERENCE,
                                             .steps = 256,
                                             .profile = FLOCK_SLIM,
                                             .domain = domain,
                                             .domain_len = strlen(domain)});
    flock_statement statement, claimed;
    assert_int_equal(flock_read_statement(proof.data, proof.len, &claimed), FLOCK_OK);
    assert_int_not_equal(flock_verify(proof.data, proof.len, &statement), FLOCK_OK);
    assert_int_equal(
        flock_verify_reference(proof.data, proof.len, &claimed, domain, strlen(domain)), FLOCK_OK);
    claimed.end[3] ^= 1;
    assert_int_equal(
        flock_verify_reference(proof.data, proof.len, &claimed, domain, strlen(domain)),
        FLOCK_ERR_STATEMENT);
    flock_free(proof.data);
}

static void test_not_a_proof(void **state)
{
    (void)state;
    static const uint8_t text[] = "this is not a proof, but it is long enough to look like one";
    assert_int_equal(verify(text, sizeof text), FLOCK_ERR_MAGIC);
    assert_int_equal(verify(NULL, 0), FLOCK_ERR_TRUNCATED);
    assert_int_equal(verify((const uint8_t *)"FLOCKC\002 and more", 16), FLOCK_ERR_VERSION);
    assert_int_equal(verify((const uint8_t *)"FLOCK\004\007 and more", 16), FLOCK_ERR_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_a_proof),
        cmocka_unit_test(test_malformed_vectors),
        cmocka_unit_test(test_truncation),
        cmocka_unit_test(test_every_byte_of_a_native_proof),
        cmocka_unit_test(test_random_bytes),
        cmocka_unit_test(test_extra_bytes),
        cmocka_unit_test(test_swapped_sections),
        cmocka_unit_test(test_sections_cover_the_file),
        cmocka_unit_test(test_other_statement),
        cmocka_unit_test(test_published_forgeries),
        cmocka_unit_test(test_all_zero_keccak),
        cmocka_unit_test(test_our_own_forgery),
        cmocka_unit_test(test_bound_domain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
