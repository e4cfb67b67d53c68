#include "target.h"

#include <flock/verify.h>

#include <string.h>
#include <time.h>

#include "seeds.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);

/* What the file might be about when the caller says so; the leaves of paths are whatever follows.
 */
static const uint8_t paths[128 * FLOCK_PATH_BYTES];
static const flock_statement reference_statements[] = {
    {.relation = FLOCK_BATCH, .circuit = FLOCK_BLAKE3, .count = 256},
    {.relation = FLOCK_BATCH, .circuit = FLOCK_KECCAK3, .count = 96, .profile = FLOCK_SLIM},
    {.relation = FLOCK_CHAIN, .circuit = FLOCK_BLAKE3, .count = 256},
    {.relation = FLOCK_CHAIN, .circuit = FLOCK_KECCAK, .count = 64, .layout = FLOCK_BATCH_MAJOR},
    {.relation = FLOCK_MERKLE,
     .circuit = FLOCK_SHA256,
     .count = 128,
     .depth = 1,
     .n_paths = 128,
     .paths = paths},
};

static void check_sections(const uint8_t *bytes, size_t len, flock_status read_status)
{
    flock_section sections[16];
    size_t n = 16, end = 0;
    flock_status status = flock_proof_sections(bytes, len, sections, &n);
    if (status != FLOCK_OK) {
        return;
    }
    require(read_status == FLOCK_OK, "sections of a file without a statement");
    require(n <= 16, "too many sections");
    for (size_t i = 0; i < n; i++) {
        require(sections[i].offset == end, "a gap between sections");
        end += sections[i].bytes;
    }
    require(end == len, "sections that do not cover the file");
}

static void check_reference(const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < sizeof reference_statements / sizeof *reference_statements; i++) {
        flock_verify_reference(bytes, len, &reference_statements[i], "flock-r1cs-v0", 13);
    }
}

/* The reference format does not bind the endpoints of a chain (docs/security.md); all else is
 * bound. */
static size_t bound_bytes(const uint8_t *bytes, size_t len)
{
    flock_section sections[16];
    size_t n = 16;
    bool has_endpoints = flock_proof_sections(bytes, len, sections, &n) == FLOCK_OK &&
                         strcmp(sections[n - 1].name, "endpoints") == 0;
    return has_endpoints ? sections[n - 1].offset : len;
}

static void check_verdict(const uint8_t *bytes, size_t len)
{
    flock_statement statement, claimed;
    flock_status status = flock_verify(bytes, len, &statement);
    flock_status read_status = flock_read_statement(bytes, len, &claimed);
    require(flock_status_text(status)[0] != '\0', "a status without a text");
    if (status == FLOCK_OK) {
        require(is_seed(bytes, len, bound_bytes(bytes, len)), "an altered proof is accepted");
        require(read_status == FLOCK_OK, "a valid proof without a statement");
        require(flock_verify_expect(bytes, len, &claimed) == FLOCK_OK, "not what it claims");
        require(flock_statement_log_bits(&statement) != 0, "a proof of an invalid statement");
    }
    check_sections(bytes, len, read_status);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    size_t n;
    seeds(&n);
    require(n > 0, "no seeds");
    return 0;
}

void check_input(const uint8_t *bytes, size_t len)
{
    clock_t start = clock();
    check_verdict(bytes, len);
    check_reference(bytes, len);
    require(clock() - start < CLOCKS_PER_SEC, "more than a second for one input");
}
