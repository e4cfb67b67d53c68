/*
 * The same answers on every machine: scripts/cross-verify.sh builds this program for several and
 * compares what it prints. For each file named on the command line the verdict and the statement,
 * and a digest of the verdicts about altered and shortened copies; then digests of small proofs.
 */
#include <flock/prove.h>
#include <flock/verify.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash/sha256.h"

enum { N_CHANGES = 24 };

static uint8_t *read_all(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(2);
    }
    *len = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*len + 1);
    if (bytes == NULL || fread(bytes, 1, *len, file) != *len) {
        perror(path);
        exit(2);
    }
    fclose(file);
    return bytes;
}

static void print_hex(const char *label, const uint8_t *bytes, size_t len)
{
    printf("%s ", label);
    for (size_t i = 0; i < len; i++) {
        printf("%02x", bytes[i]);
    }
}

static void print_digest(const char *label, const void *bytes, size_t len)
{
    uint8_t digest[32];
    sha256(digest, bytes, len);
    print_hex(label, digest, sizeof digest);
    printf("\n");
}

static void print_statement(const flock_statement *s)
{
    size_t region = flock_region_bytes(s->circuit);
    printf(" %d %d %d %d %d %llu", s->format, s->relation, s->circuit, s->layout, s->profile,
           (unsigned long long)s->count);
    switch (s->relation) {
    case FLOCK_BATCH:
        break;
    case FLOCK_CHAIN:
        print_hex(" start", s->start, region);
        print_hex(" end", s->end, region);
        break;
    case FLOCK_DIGEST:
        printf(" %llu bytes", (unsigned long long)s->message_bytes);
        print_hex(" digest", s->digest, 32);
        print_hex(" tail", s->tail, s->message_bytes % 64);
        break;
    case FLOCK_MERKLE:
        printf(" depth %u", s->depth);
        print_hex(" root", s->root, 32);
        print_hex(" paths", s->paths, (size_t)s->n_paths * FLOCK_PATH_BYTES);
        break;
    }
    printf("\n");
}

/* Every k-th byte changed, the changes spread over the file; then every k-th length. */
static void check_changes(uint8_t *bytes, size_t len)
{
    uint8_t verdicts[2 * N_CHANGES];
    flock_statement statement;
    for (size_t i = 0; i < N_CHANGES; i++) {
        size_t at = i < N_CHANGES / 2 ? 7 * i * i : len / N_CHANGES * i;
        bytes[at] ^= (uint8_t)(1 << i % 8);
        verdicts[2 * i] = (uint8_t)flock_verify(bytes, len, &statement);
        bytes[at] ^= (uint8_t)(1 << i % 8);
        verdicts[2 * i + 1] = (uint8_t)flock_verify(bytes, at, &statement);
    }
    print_digest(" changes", verdicts, sizeof verdicts);
}

static void check_file(const char *path)
{
    size_t len;
    uint8_t *bytes = read_all(path, &len);
    const char *slash = strrchr(path, '/');
    flock_statement statement;
    flock_status status = flock_verify(bytes, len, &statement);
    printf("%s: %s;", slash == NULL ? path : slash + 1, flock_status_text(status));
    print_statement(&statement);
    check_changes(bytes, len);
    free(bytes);
}

static void check_result(const char *label, flock_status status, uint8_t *proof, size_t len)
{
    printf("%s: %s;", label, flock_status_text(status));
    if (status == FLOCK_OK) {
        print_digest(" proof", proof, len);
        flock_free(proof);
    } else {
        printf("\n");
    }
}

static void check_proofs(void)
{
    static const flock_chain chains[] = {
        {.circuit = FLOCK_BLAKE3, .profile = FLOCK_FAST, .steps = 5, .seed = 9},
        {.circuit = FLOCK_SHA256,
         .profile = FLOCK_SECURE,
         .steps = 11,
         .layout = FLOCK_BATCH_MAJOR},
        {.circuit = FLOCK_KECCAK, .profile = FLOCK_SLIM, .steps = 3},
    };
    flock_keccak_input inputs[7] = {{{1, 2, UINT64_C(0x0123456789abcdef)}}};
    const flock_batch batch = {.circuit = FLOCK_KECCAK3, .count = 7, .inputs = inputs};
    uint8_t *proof;
    size_t len;
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
        flock_status status = flock_prove_chain(&chains[i], NULL, &proof, &len, NULL);
        check_result("chain", status, proof, len);
    }
    flock_status status = flock_prove_batch(&batch, NULL, &proof, &len, NULL);
    check_result("batch", status, proof, len);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        check_file(argv[i]);
    }
    check_proofs();
    return 0;
}
