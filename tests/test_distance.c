/*
 * The query phase by statistics: a prover commits to a word that differs from a codeword in a known
 * share of positions and answers honestly from it. The verifier notices if and only if one of its
 * queries meets such a position, so with Q distinct queries among N positions, D of them spoiled,
 *
 *     Pr[accept] = C(N - D, Q) / C(N, Q),      about (1 - D/N)^Q
 *
 * which is what the error bounds of the parameters rest on. Parameters far below security.
 */
#include "support/support.h"
#include "support/weights.h"

#include <math.h>

#include "backend/kernels.h"
#include "field/multilinear.h"
#include "pcs/ligerito.h"

enum { LOG_N = 8, TRIALS = SANITIZED ? 400 : 4000 };

/*
 *             message   lanes   positions   queries
 *   level 0     2^5       2^3       64         4
 *   level 1     2^3       2^2       16         3
 */
static const struct pcs_params params = {
    .log_n = LOG_N,
    .R = 1,
    .y = 3,
    .level = {{.r = 1, .c = 5, .k = 3, .Q = 4}, {.r = 1, .c = 3, .k = 2, .Q = 3}},
};

/* The commitment to spoil: its level and how many positions. The positions are the trial's. */
static struct {
    unsigned level, next;
    size_t n_positions;
    struct splitmix random;
} spoil;

flock_status __real_oracle_commit(struct prover_context *context, struct oracle *oracle,
                                  const gf128 *polynomial, const struct level_params *level);
flock_status __wrap_oracle_commit(struct prover_context *context, struct oracle *oracle,
                                  const gf128 *polynomial, const struct level_params *level);

/* Distinct positions, each with a random value in a random lane. */
static void spoil_positions(struct oracle *oracle)
{
    bool spoiled[1 << 6] = {false};
    size_t mask = ((size_t)1 << oracle->log_positions) - 1;
    for (size_t n = 0; n < spoil.n_positions;) {
        size_t position = splitmix_next(&spoil.random) & mask;
        size_t lane = splitmix_next(&spoil.random) & (((size_t)1 << oracle->log_lanes) - 1);
        if (!spoiled[position]) {
            gf128 *value = &oracle->codeword[(position << oracle->log_lanes) + lane];
            *value = gf128_add(*value, splitmix_gf128(&spoil.random));
            spoiled[position] = true;
            n++;
        }
    }
}

flock_status __wrap_oracle_commit(struct prover_context *context, struct oracle *oracle,
                                  const gf128 *polynomial, const struct level_params *level)
{
    flock_status status = __real_oracle_commit(context, oracle, polynomial, level);
    if (status == FLOCK_OK && spoil.next++ == spoil.level) {
        spoil_positions(oracle);
        memory_give(&context->memory, oracle->tree.nodes);
        status = test_tree_build(context, &oracle->tree, oracle->codeword, (size_t)1 << level->k,
                                 oracle->log_positions, 0);
    }
    return status;
}

static void evaluate_weight(const void *point, const gf128 *rho, unsigned n_rho, unsigned y,
                            gf128 *out)
{
    const gf128 *p = point;
    eq_table_scaled(out, p + n_rho, y, eq_eval(p, rho, n_rho));
}

/* One opening of random data; the seed decides everything. */
static flock_status trial(uint64_t seed)
{
    const size_t n = (size_t)1 << LOG_N;
    static struct ligerito_proof proof;
    struct prover_context context;
    struct oracle oracle;
    struct transcript t;
    struct splitmix random = {seed};
    gf128 f[1 << LOG_N], point[LOG_N];
    uint8_t root[32];

    test_context_init(&context, 1);
    spoil.next = 0;
    spoil.random.state = ~seed;
    for (size_t i = 0; i < n; i++) {
        f[i] = splitmix_gf128(&random);
    }
    for (size_t i = 0; i < LOG_N; i++) {
        point[i] = splitmix_gf128(&random);
    }
    gf128 *w = malloc(n * sizeof *w);
    struct full_weight weight;
    assert_non_null(w);
    eq_table(w, point, LOG_N);
    gf128 target = kernels()->dot(f, w, n);
    full_weight_init(&weight, w, f, LOG_N);
    assert_int_equal(oracle_commit(&context, &oracle, f, &params.level[0]), FLOCK_OK);
    memcpy(root, tree_root(&oracle.tree), 32);
    transcript_init(&t, &seed, sizeof seed);
    assert_int_equal(
        ligerito_prove(&context, &t, &params, f, &weight.prover, target, &oracle, &proof),
        FLOCK_OK);
    full_weight_release(&weight);

    const struct ligerito_weight evaluated = {evaluate_weight, point};
    transcript_init(&t, &seed, sizeof seed);
    flock_status status = ligerito_verify(&t, &params, root, target, &evaluated, &proof);
    test_context_release(&context);
    return status;
}

/* C(n - d, q) / C(n, q) */
static double chance_of_acceptance(size_t n, size_t d, size_t q)
{
    double chance = 1;
    for (size_t i = 0; i < q; i++) {
        chance *= n - d > i ? (double)(n - d - i) / (double)(n - i) : 0;
    }
    return chance;
}

/* Within five standard deviations, which a right verifier leaves once in two million runs. */
static void assert_rate(unsigned level, size_t spoiled)
{
    size_t n = (size_t)1 << (params.level[level].c + params.level[level].r);
    double chance = chance_of_acceptance(n, spoiled, params.level[level].Q);
    unsigned accepted = 0;

    spoil.level = level;
    spoil.n_positions = spoiled;
    for (unsigned i = 0; i < TRIALS; i++) {
        flock_status status = trial(1000003 * level + 1009 * spoiled + i);
        assert_true(status == FLOCK_OK || status == FLOCK_REJECT_OPENING);
        accepted += status == FLOCK_OK;
    }
    double deviation = sqrt(TRIALS * chance * (1 - chance));
    double difference = fabs(accepted - TRIALS * chance);
    print_message("level %u, distance %zu/%zu: accepted %u of %u, expected %.1f +- %.1f\n", level,
                  spoiled, n, accepted, (unsigned)TRIALS, TRIALS * chance, deviation);
    assert_true(difference <= 5 * deviation);
}

static void test_level_0(void **state)
{
    (void)state;
    assert_rate(0, 0); /* always accepted */
    assert_rate(0, 1);
    assert_rate(0, 8);
    assert_rate(0, 16);
    assert_rate(0, 32);
    assert_rate(0, 61); /* three are left: four queries never miss */
}

static void test_level_1(void **state)
{
    (void)state;
    assert_rate(1, 0);
    assert_rate(1, 1);
    assert_rate(1, 4);
    assert_rate(1, 8);
    assert_rate(1, 14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_level_0),
        cmocka_unit_test(test_level_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
