/*
 * The verifier on altered proofs: the mutator knows the parts of a file, keeps counts in order when
 * it makes lists longer or shorter, and moves proofs to other statements.
 */
#include <stdlib.h>
#include <string.h>

#include <flock/verify.h>

#include "seeds.h"
#include "target.h"
#include "wire/proof_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_input(data, size);
    return 0;
}

/* ---- the file at hand ---- */

struct input {
    uint8_t *data;
    size_t size, max_size;
    uint64_t random;
    struct proof_file file; /* as far as it can be read */
    struct section_list sections;
};

static uint64_t next_random(struct input *in)
{
    in->random += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = in->random;
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static size_t below(struct input *in, size_t n)
{
    return n == 0 ? 0 : next_random(in) % n;
}

static bool parse(struct input *in)
{
    in->sections.n = 0;
    return proof_file_read(in->data, in->size, &in->file, &in->sections) == FLOCK_OK;
}

static flock_section random_section(struct input *in)
{
    return in->sections.item[below(in, in->sections.n)];
}

/* Replaces `removed` bytes at `at` by `inserted` ones that are zero; false if there is no room. */
static bool splice(struct input *in, size_t at, size_t removed, size_t inserted)
{
    if (in->size - removed + inserted > in->max_size) {
        return false;
    }
    memmove(in->data + at + inserted, in->data + at + removed, in->size - at - removed);
    memset(in->data + at, 0, inserted);
    in->size += inserted - removed;
    return true;
}

/* ---- mutations; each leaves a file that need not be one ---- */

static void flip_bit(struct input *in)
{
    flock_section s = random_section(in);
    if (s.bytes > 0) {
        in->data[s.offset + below(in, s.bytes)] ^= (uint8_t)(1 << below(in, 8));
    }
}

static void set_count(struct input *in)
{
    static const uint64_t values[] = {0,
                                      1,
                                      2,
                                      3,
                                      63,
                                      65,
                                      127,
                                      129,
                                      255,
                                      511,
                                      512,
                                      UINT32_MAX,
                                      UINT64_C(1) << 32,
                                      UINT64_C(1) << 59,
                                      UINT64_C(1) << 60,
                                      UINT64_C(1) << 63,
                                      UINT64_MAX / 16,
                                      UINT64_MAX};
    flock_section s = random_section(in);
    if (s.bytes < 8) {
        return;
    }
    /* Counts stand at multiples of eight from the start of a part. */
    uint8_t *at = in->data + s.offset + (below(in, 3) == 0 ? 0 : 8 * below(in, s.bytes / 8));
    uint64_t value = below(in, 2) == 0 ? values[below(in, sizeof values / sizeof *values)]
                                       : load_le64(at) + (below(in, 2) == 0 ? 1 : UINT64_MAX);
    store_le64(at, value);
}

/* Two runs of a part change places, or one is copied over the other. */
static void move_run(struct input *in)
{
    static const size_t lengths[] = {8, 16, 32, 136, 1032, 1024, 2056};
    flock_section s = random_section(in);
    size_t len = lengths[below(in, sizeof lengths / sizeof *lengths)];
    if (s.bytes < 2 * len) {
        return;
    }
    uint8_t *a = in->data + s.offset + 8 * below(in, (s.bytes - len) / 8);
    uint8_t *b = in->data + s.offset + 8 * below(in, (s.bytes - len) / 8);
    bool copy = below(in, 2) == 0;
    for (size_t i = 0; i < len; i++) {
        uint8_t byte = a[i];
        a[i] = b[i];
        b[i] = copy ? b[i] : byte;
    }
}

/* One hash more or less in a multi-opening, and its count with it. */
static void resize_hashes(struct input *in)
{
    const struct pcs_params *params = &in->file.setup.params;
    size_t i = below(in, params->R + 1);
    const struct opened_level *opened = &in->file.proof.opening.ligerito.opened[i];
    size_t hashes = (size_t)(opened->hashes - in->data), n = opened->n_hashes;
    bool longer = n == 0 || below(in, 2) == 0;
    size_t at = hashes + 32 * below(in, n + longer);
    if (splice(in, at, longer ? 0 : 32, longer ? 32 : 0)) {
        store_le64(in->data + hashes - 8, n + (longer ? 1 : UINT64_MAX));
    }
}

static void insert_or_delete(struct input *in)
{
    size_t at = below(in, in->size), len = 1 + below(in, 64);
    if (below(in, 2) == 0) {
        splice(in, at, 0, len);
    } else {
        splice(in, at, len < in->size - at ? len : in->size - at, 0);
    }
}

static void mutate_bytes(struct input *in)
{
    flock_section s = random_section(in);
    size_t len = s.bytes < 512 ? s.bytes : 512;
    uint8_t *at = in->data + s.offset + below(in, s.bytes - len + 1);
    if (len > 0) {
        LLVMFuzzerMutate(at, len, len);
    }
}

static void cut(struct input *in)
{
    flock_section s = random_section(in);
    in->size = s.offset + below(in, 3) * 8;
}

/* The same part of another proof. */
static void transplant(struct input *in)
{
    static struct proof_file other;
    struct section_list sections = {.n = 0};
    size_t n, i = below(in, in->sections.n);
    const struct seed *seed = seeds(&n);
    seed += below(in, n);
    if (proof_file_read(seed->bytes, seed->len, &other, &sections) != FLOCK_OK || i >= sections.n) {
        return;
    }
    flock_section from = sections.item[i], to = in->sections.item[i];
    if (splice(in, to.offset, to.bytes, from.bytes)) {
        memcpy(in->data + to.offset, seed->bytes + from.offset, from.bytes);
    }
}

/* Writes in->file, whose statement has changed, in the place of the input. */
static void rewrite(struct input *in)
{
    size_t len;
    uint8_t *bytes = proof_file_write(&in->file, &len);
    require(bytes != NULL, "no memory");
    if (len <= in->max_size) {
        memcpy(in->data, bytes, len);
        in->size = len;
    }
    free(bytes);
}

/* Another count, end, profile, ... with the same shape: only the challenges change. */
static void change_statement(struct input *in)
{
    flock_statement *s = &in->file.statement;
    struct setup setup;
    switch (below(in, 6)) {
    case 0:
        s->count ^= (uint64_t)1 << below(in, 10);
        break;
    case 1:
        s->start[below(in, FLOCK_MAX_REGION_BYTES)] ^= 1;
        break;
    case 2:
        s->end[below(in, FLOCK_MAX_REGION_BYTES)] ^= 1;
        break;
    case 3:
        s->layout = s->layout == FLOCK_ROW_MAJOR ? FLOCK_BATCH_MAJOR : FLOCK_ROW_MAJOR;
        break;
    case 4:
        s->message_bytes ^= (uint64_t)1 << below(in, 10);
        break;
    default:
        s->root[below(in, 32)] ^= 1;
        break;
    }
    if (statement_setup(s, &setup) == FLOCK_OK && setup.m == in->file.setup.m) {
        rewrite(in);
    }
}

/* Rows and hashes that are zero but for their lengths. */
static void blank_levels(struct input *in)
{
    static uint8_t rows[MAX_LEVELS][MAX_QUERIES * (8 + (16 << MAX_LOG_LANES))];
    static const uint8_t hashes[64 * 32];
    const struct pcs_params *params = &in->file.setup.params;
    for (unsigned i = 0; i <= params->R; i++) {
        const struct level_params *level = &params->level[i];
        size_t stride = opened_row_stride(level);
        memset(rows[i], 0, level->Q * stride);
        for (size_t t = 0; t < level->Q; t++) {
            store_le64(rows[i] + t * stride, (uint64_t)1 << level->k);
        }
        in->file.proof.opening.ligerito.opened[i] =
            (struct opened_level){rows[i], hashes, below(in, 64)};
    }
}

/* Another statement altogether, of any size. What the proof lacks for its shape is zero. */
static void change_shape(struct input *in)
{
    static const uint64_t counts[] = {1, 5, 8, 9, 40, 256, 1 << 12, 1 << 17, 1 << 18, 1 << 19};
    flock_statement s = {.relation = below(in, 2),
                         .circuit = below(in, 4),
                         .layout = below(in, 2),
                         .profile = below(in, 3),
                         .format = below(in, 2),
                         .count = counts[below(in, sizeof counts / sizeof *counts)]};
    if (statement_setup(&s, &in->file.setup) == FLOCK_OK) {
        in->file.statement = s;
        if (below(in, 2) == 0) {
            memset(&in->file.proof, 0, sizeof in->file.proof);
        }
        blank_levels(in);
        rewrite(in);
    }
}

/* ---- proofs of work ---- */

/*
 * What stands behind a proof of work is not reached once a message before it is altered. So the
 * mutator repairs nonces: it runs the verifier with the check below in the place of the
 * transcript's (-Wl,--wrap), which searches a nonce where the proof's own is wrong.
 */
enum { MAX_NONCES = MAX_FOLD_NONCES + MAX_LEVELS, MAX_REPAIR_BITS = 12 };

static struct {
    bool active;
    size_t n;
    uint64_t found[MAX_NONCES];
} repair;

bool __real_transcript_check_nonce(struct transcript *t, unsigned bits, uint64_t nonce);
bool __wrap_transcript_check_nonce(struct transcript *t, unsigned bits, uint64_t nonce);

bool __wrap_transcript_check_nonce(struct transcript *t, unsigned bits, uint64_t nonce)
{
    bool right = __real_transcript_check_nonce(t, bits, nonce);
    if (!repair.active || repair.n == MAX_NONCES) {
        return right;
    }
    for (nonce = right ? nonce : 0; !right && bits <= MAX_REPAIR_BITS; nonce += !right) {
        right = __real_transcript_check_nonce(t, bits, nonce);
    }
    repair.found[repair.n++] = nonce;
    return right;
}

/* The nonces in the order in which the verifier checks them: the folds of a level, its queries. */
static void repair_nonces(struct input *in)
{
    const struct pcs_params *params = &in->file.setup.params;
    struct ligerito_proof *ligerito = &in->file.proof.opening.ligerito;
    flock_statement statement;
    size_t n = 0, n_fold = 0;

    repair.n = 0;
    repair.active = true;
    flock_verify(in->data, in->size, &statement);
    repair.active = false;
    for (unsigned i = 0; i <= params->R; i++) {
        for (unsigned j = 0; j < params->level[i].k; j++) {
            if (fold_grinding_bits(&params->level[i], j) > 0 && n < repair.n) {
                ligerito->fold_nonces[n_fold++] = repair.found[n++];
            }
        }
        if (n < repair.n) {
            ligerito->query_nonces[i] = repair.found[n++];
        }
    }
    rewrite(in);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static void (*const mutations[])(struct input *) = {
        flip_bit,     set_count, move_run,   resize_hashes,    insert_or_delete,
        mutate_bytes, cut,       transplant, change_statement, change_shape,
    };
    static struct input in;
    in.data = data;
    in.size = size;
    in.max_size = max_size;
    in.random = seed;
    if (!parse(&in)) {
        if (below(&in, 4) == 0) {
            return LLVMFuzzerMutate(data, size, max_size);
        }
        size_t n;
        const struct seed *start = seeds(&n);
        start += below(&in, n);
        if (start->len > max_size) {
            return size;
        }
        memcpy(data, start->bytes, start->len);
        in.size = start->len;
        require(parse(&in), "a seed that cannot be read");
    }
    size_t steps = 1 + below(&in, 3);
    do {
        mutations[below(&in, sizeof mutations / sizeof *mutations)](&in);
    } while (--steps > 0 && parse(&in));
    if (below(&in, 2) == 0 && parse(&in)) {
        repair_nonces(&in);
    }
    return in.size;
}
