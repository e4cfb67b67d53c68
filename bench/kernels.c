/*
 * The subcommand that measures core cycles per item of every kernel in every backend this machine
 * runs, on arrays that fit the first two caches. Backends take turns, the best of many short runs
 * counts, and the unit of time is measured in between, so that other load on the machine and a
 * changing clock hardly matter.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/kernels.h"

#include "commands.h"
#include "cycles.h"
#include "list.h"

enum {
    N = 1024,      /* elements of an array, unless stated otherwise */
    N_GROUPS = 32, /* of 128 rows of bits */
    N_WORDS = 8,   /* linear64_columns, */
    N_BLOCKS = 8,  /* of 64 rows each */
    LEAF_BYTES = 1024,
    N_LEAVES = 64,
    N_NONCES = 4096,
    MAX_BACKENDS = 8
};

/* Everything a kernel may need, filled with pseudo-random words. */
struct data {
    gf128 f[4 * N], w[4 * N], f_out[2 * N], w_out[2 * N], e[N];
    uint64_t a[128 * N_GROUPS], b[128 * N_GROUPS];
    gf128 sums[64 * N_WORDS];
    gf128 r[32];
    uint8_t messages[N_LEAVES * LEAF_BYTES], digests[32 * N_LEAVES];
    uint32_t state[8];
    struct linear64 low, high, maps[N_BLOCKS];
};

static struct data data;

struct tables {
    const char *name;
    const struct kernels *k;
    const struct prover_kernels *p;
};

static void run_mul(const struct tables *t)
{
    for (size_t i = 0; i < N; i++) {
        data.f_out[i] = t->k->mul(data.f[i], data.w[i]);
    }
}

static void run_scale(const struct tables *t)
{
    t->k->scale(data.f_out, data.f, data.r[0], N);
}

static void run_axpy(const struct tables *t)
{
    t->k->axpy(data.f_out, data.f, data.r[0], N);
}

static void run_dot(const struct tables *t)
{
    data.sums[0] = t->k->dot(data.f, data.w, N);
}

static void run_eq_expand(const struct tables *t)
{
    t->k->eq_expand(data.f_out, N, data.r[0]);
}

static void run_fold_high(const struct tables *t)
{
    t->k->fold_high(data.f, N, data.r[0]);
}

static void run_sha256_compress(const struct tables *t)
{
    t->k->sha256_compress(data.state, data.messages, N_LEAVES * LEAF_BYTES / 64);
}

static void run_sha256_many(const struct tables *t)
{
    t->k->sha256_many(data.digests, data.messages, LEAF_BYTES, N_LEAVES, 0);
}

static void run_linear64_prepare(const struct tables *t)
{
    t->p->linear64_prepare(&data.low, data.f);
}

static void run_linear128_apply(const struct tables *t)
{
    t->p->linear128_apply(data.f_out, data.f, N, &data.low, &data.high);
}

static void run_linear128_add(const struct tables *t)
{
    t->p->linear128_add(data.f_out, data.f, N, &data.low, &data.high);
}

static void run_linear64_columns(const struct tables *t)
{
    t->p->linear64_columns(data.sums, data.a, NULL, N_WORDS, N_WORDS, 64 * N_BLOCKS, data.maps);
}

static void run_skip_round(const struct tables *t)
{
    t->p->skip_round(data.sums, data.a, data.b, data.e, N_GROUPS);
}

static void run_zerocheck_cubes(const struct tables *t)
{
    t->p->zerocheck_cubes(data.sums, data.a, data.b, data.maps, data.e, N_GROUPS);
}

static void run_zerocheck_fold_bits(const struct tables *t)
{
    t->p->zerocheck_fold_bits(data.sums, data.f_out, data.w_out, data.a, data.b, data.maps, data.e,
                              8 * N_GROUPS);
}

static void run_zerocheck_fold_message(const struct tables *t)
{
    t->p->zerocheck_fold_message(data.sums, data.f_out, data.w_out, data.f, data.w, data.r[0],
                                 data.e, N);
}

static void run_fold_low8(const struct tables *t)
{
    t->p->fold_low8(data.f_out, data.f, data.e, N / 2);
}

static void run_product_message_low(const struct tables *t)
{
    t->p->product_message_low(data.sums, data.f, data.w, N);
}

static void run_product_fold_message_low(const struct tables *t)
{
    t->p->product_fold_message_low(data.sums, data.f_out, data.w_out, data.f, data.w, data.r[0], N);
}

static void run_product_message_high(const struct tables *t)
{
    t->p->product_message_high(data.sums, data.f, data.w, N);
}

static void run_butterfly(const struct tables *t)
{
    t->p->butterfly(data.f, data.f + N, data.r[0], N);
}

static void run_butterfly4(const struct tables *t)
{
    t->p->butterfly4(data.f, N, data.f, N, data.r, N);
}

/* In the first-level cache, as most layers of a tile, and with the twiddles of the last ones. */
static void run_butterfly4_row(const struct tables *t)
{
    t->p->butterfly4(data.f, N / 8, data.f, N / 8, data.r, N / 8);
}

static void run_butterfly4_short(const struct tables *t)
{
    const gf128 r[3] = {{data.r[0].lo, 0}, {data.r[1].lo, 0}, {data.r[2].lo, 0}};
    t->p->butterfly4(data.f, N / 8, data.f, N / 8, r, N / 8);
}

static void run_butterfly_transposed(const struct tables *t)
{
    t->p->butterfly_transposed(data.f, data.f + N, data.r[0], N);
}

static void run_pow_search(const struct tables *t)
{
    uint64_t nonce;
    t->p->pow_search(&nonce, data.digests, 63, 0, N_NONCES);
}

static const struct {
    const char *name, *item;
    double items; /* a run */
    void (*run)(const struct tables *t);
} benches[] = {
    {"skip_round", "row of a and b", 128 * N_GROUPS, run_skip_round},
    {"linear64_prepare", "map", 1, run_linear64_prepare},
    {"linear128_apply", "element", N, run_linear128_apply},
    {"linear128_add", "element", N, run_linear128_add},
    {"linear64_columns", "column of 64 rows", 64 * N_WORDS *N_BLOCKS, run_linear64_columns},
    {"zerocheck_cubes", "row of a and b", 128 * N_GROUPS, run_zerocheck_cubes},
    {"zerocheck_fold_bits", "row of a and b", 128 * N_GROUPS, run_zerocheck_fold_bits},
    {"zerocheck_fold_message", "element of A and B", 4 * N, run_zerocheck_fold_message},
    {"fold_low8", "element", 4 * N, run_fold_low8},
    {"product_message_low", "element of f and w", 2 * N, run_product_message_low},
    {"product_fold_message_low", "element of f and w", 4 * N, run_product_fold_message_low},
    {"product_message_high", "element of f and w", 2 * N, run_product_message_high},
    {"butterfly", "pair", N, run_butterfly},
    {"butterfly4", "four (4 butterflies)", N, run_butterfly4},
    {"butterfly4, first cache", "four (4 butterflies)", N / 8, run_butterfly4_row},
    {"butterfly4, short twiddles", "four (4 butterflies)", N / 8, run_butterfly4_short},
    {"butterfly_transposed", "pair", N, run_butterfly_transposed},
    {"mul", "product", N, run_mul},
    {"scale", "element", N, run_scale},
    {"axpy", "element", N, run_axpy},
    {"dot", "product", N, run_dot},
    {"eq_expand", "element of the old table", N, run_eq_expand},
    {"fold_high", "element of the result", N, run_fold_high},
    {"sha256_compress", "byte", N_LEAVES *LEAF_BYTES, run_sha256_compress},
    {"sha256_many", "byte", N_LEAVES *LEAF_BYTES, run_sha256_many},
    {"pow_search", "nonce", N_NONCES, run_pow_search},
};

static void fill(void *p, size_t len)
{
    static uint64_t state = 1;
    for (size_t i = 0; i < len; i++) {
        state = state * 6364136223846793005 + 1442695040888963407;
        ((uint8_t *)p)[i] = (uint8_t)(state >> 56);
    }
}

/* Seconds of one run, over at least 50 microseconds. */
static double run_seconds(void (*run)(const struct tables *t), const struct tables *tables)
{
    double begin = monotonic_seconds(), seconds;
    unsigned runs = 0;
    do {
        run(tables);
        runs++;
        seconds = monotonic_seconds() - begin;
    } while (seconds < 0.00005);
    return seconds / runs;
}

/* ---- the command ---- */

enum { N_BENCHES = sizeof benches / sizeof *benches };

struct selection {
    const char *names; /* parts of names, separated by commas, or NULL: all */
    struct tables tables[MAX_BACKENDS];
    size_t n_tables;
    uint64_t rounds;
    enum output output;
};

static bool is_selected(const struct selection *selection, const char *name)
{
    const char *part = selection->names;
    while (part != NULL) {
        char word[64];
        size_t length = strcspn(part, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, part);
        if (strstr(name, word) != NULL) {
            return true;
        }
        part = part[length] == ',' ? part + length + 1 : NULL;
    }
    return selection->names == NULL;
}

/* The tables of a backend, for both sides. */
static struct tables tables_of(const char *name)
{
    const struct backend *b = backends;
    const struct prover_backend *p = prover_backends;
    while (strcmp(b->name, name) != 0) {
        b++;
    }
    while (strcmp(p->name, name) != 0) {
        p++;
    }
    return (struct tables){name, b->table(), p->table()};
}

/* Cycles per item in each of the selected backends. */
static void measure_kernel(const struct selection *selection, size_t bench, double *cycles)
{
    for (uint64_t round = 0; round < selection->rounds; round++) {
        for (size_t t = 0; t < selection->n_tables; t++) {
            (void)cycle_seconds();
            double seconds = run_seconds(benches[bench].run, &selection->tables[t]);
            cycles[t] = round == 0 ? seconds : fmin(cycles[t], seconds);
        }
    }
    for (size_t t = 0; t < selection->n_tables; t++) {
        cycles[t] /= cycle_seconds() * benches[bench].items;
    }
}

static void print_head(const struct program *program, const struct selection *selection,
                       struct json *json)
{
    switch (selection->output) {
    case OUTPUT_JSON:
        result_open(json, program, OUTCOME_OK, NULL);
        json_open_array(json, "kernels");
        break;
    case OUTPUT_CSV:
        printf("kernel,item,backend,cycles\n");
        break;
    default:
        printf("Cycles per item\n\n| kernel | item |");
        for (size_t t = 0; t < selection->n_tables; t++) {
            printf(" %s |", selection->tables[t].name);
        }
        printf("\n|---|---|");
        for (size_t t = 0; t < selection->n_tables; t++) {
            printf("---|");
        }
        printf("\n");
    }
}

static void print_kernel(const struct selection *selection, size_t bench, const double *cycles,
                         struct json *json)
{
    const char *name = benches[bench].name, *item = benches[bench].item;
    if (selection->output == OUTPUT_MARKDOWN) {
        printf("| %s | %s |", name, item);
    }
    for (size_t t = 0; t < selection->n_tables; t++) {
        switch (selection->output) {
        case OUTPUT_JSON:
            json_open_object(json, NULL);
            json_string(json, "kernel", name);
            json_string(json, "item", item);
            json_string(json, "backend", selection->tables[t].name);
            json_real(json, "cycles", cycles[t]);
            json_close_object(json);
            break;
        case OUTPUT_CSV:
            printf("%s,%s,%s,%.3f\n", name, item, selection->tables[t].name, cycles[t]);
            break;
        default:
            printf(" %.*f |", cycles[t] < 100 ? 2 : 0, cycles[t]);
        }
    }
    if (selection->output == OUTPUT_MARKDOWN) {
        printf("\n");
    }
    fflush(stdout);
}

static void run_selection(const struct program *program, const struct selection *selection)
{
    struct json json;
    fill(&data, sizeof data);
    print_head(program, selection, &json);
    for (size_t bench = 0; bench < N_BENCHES; bench++) {
        double cycles[MAX_BACKENDS];
        if (is_selected(selection, benches[bench].name)) {
            measure_kernel(selection, bench, cycles);
            print_kernel(selection, bench, cycles, &json);
        }
    }
    if (selection->output == OUTPUT_JSON) {
        json_close_array(&json);
        json_close_object(&json);
    }
}

static enum outcome check_names(const struct program *program, const struct selection *selection)
{
    for (size_t bench = 0; bench < N_BENCHES; bench++) {
        if (is_selected(selection, benches[bench].name)) {
            return OUTCOME_OK;
        }
    }
    return fail(program, OUTCOME_USAGE, "--kernel: no kernel's name contains '%s'",
                selection->names);
}

enum kernels_flag { KERNEL, BACKEND, KERNEL_ROUNDS, OUTPUT, N_FLAGS };

static const struct flag kernels_flags[N_FLAGS] = {
    [KERNEL] = {"--kernel", "LIST", false, "only those whose names contain one of these", NULL},
    [BACKEND] = {"--backend", "LIST", false, "by name, auto or all (default)", NULL},
    [KERNEL_ROUNDS] = {"--rounds", "K", false, "turns of each backend (default 100)", NULL},
    [OUTPUT] = {FLAG_OUTPUT},
};

enum outcome kernels_command(struct program *program, int argc, char **argv)
{
    struct flag flags[N_FLAGS];
    struct selection selection = {.rounds = 100};
    struct list list;
    enum outcome outcome;

    memcpy(flags, kernels_flags, sizeof flags);
    if (!parse_flags(
            program,
            "Measure the hot loops, one by one, in cycles per item: the least of K turns,\n"
            "each at least 50 microseconds long, on arrays that stay in the caches.",
            flags, N_FLAGS, argc, argv, &outcome)) {
        return outcome;
    }
    selection.names = flags[KERNEL].value;
    if ((outcome = flag_output(program, &flags[OUTPUT], &selection.output)) != OUTCOME_OK ||
        (outcome = flag_number(program, &flags[KERNEL_ROUNDS], 1, 1000000, &selection.rounds)) !=
            OUTCOME_OK ||
        (outcome = flag_list(program, &flags[BACKEND], all_backends(), all_backends(), read_backend,
                             &list)) != OUTCOME_OK ||
        (outcome = check_names(program, &selection)) != OUTCOME_OK) {
        return outcome;
    }
    for (; selection.n_tables < list.n && selection.n_tables < MAX_BACKENDS; selection.n_tables++) {
        selection.tables[selection.n_tables] =
            tables_of(flock_backend_available((size_t)list.value[selection.n_tables]));
    }
    run_selection(program, &selection);
    return OUTCOME_OK;
}
