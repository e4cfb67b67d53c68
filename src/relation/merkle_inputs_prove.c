#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "base/bytes.h"
#include "base/prover_context.h"
#include "hash/sha256.h"
#include "relation/inputs.h"
#include "relation/merkle.h"

/* The D inputs of path p; its value at the root's level goes to `root`. */
static void path_inputs(const flock_statement *statement, uint64_t p, const uint8_t *siblings,
                        size_t D, flock_sha256_input *inputs, uint8_t root[32])
{
    static const uint8_t zero[32];
    uint8_t node[32], block[64];
    swap_words(node, merkle_leaf(statement, p), 8);
    for (size_t d = 0; d < D; d++) {
        const uint8_t *sibling = d < statement->depth ? siblings + 32 * d : zero;
        bool right = merkle_bit(statement, p, d);
        uint32_t state[8];
        memcpy(block, right ? sibling : node, 32);
        memcpy(block + 32, right ? node : sibling, 32);
        memcpy(state, sha256_initial, sizeof state);
        sha256_step(&inputs[d], state, block);
        for (size_t w = 0; w < 8; w++) {
            store_be32(node + 4 * w, state[w]);
        }
        if (d + 1 == statement->depth) {
            memcpy(root, node, 32);
        }
    }
}

enum { TASK_INSTANCES = 1 << 6 };

struct inputs_job {
    const flock_statement *statement;
    const flock_merkle_path *paths;
    size_t D;
    flock_sha256_input *inputs;
    uint64_t n_paths; /* of a task */
    atomic_bool wrong;
};

static void inputs_task(void *context, size_t task)
{
    struct inputs_job *job = context;
    const flock_statement *statement = job->statement;
    uint64_t first = task * job->n_paths, left = statement->n_paths - first;
    uint64_t end = first + (left < job->n_paths ? left : job->n_paths);
    for (uint64_t p = first; p < end; p++) {
        uint8_t root[32];
        path_inputs(statement, p, job->paths[p].siblings, job->D, job->inputs + p * job->D, root);
        if (memcmp(root, statement->root, 32) != 0) {
            atomic_store_explicit(&job->wrong, true, memory_order_relaxed);
        }
    }
}

flock_status merkle_inputs(const struct prover_context *context, const flock_statement *statement,
                           const flock_merkle_path *paths, flock_sha256_input *inputs)
{
    struct merkle_shape shape = merkle_shape_of(statement);
    size_t D = (size_t)1 << shape.pos_log;
    struct inputs_job job = {
        .statement = statement,
        .paths = paths,
        .D = D,
        .inputs = inputs,
        .n_paths = D < TASK_INSTANCES ? TASK_INSTANCES / D : 1,
    };
    atomic_init(&job.wrong, false);
    parallel_for(context->threads, (statement->n_paths + job.n_paths - 1) / job.n_paths,
                 inputs_task, &job);
    if (atomic_load_explicit(&job.wrong, memory_order_relaxed)) {
        return FLOCK_ERR_INPUT;
    }
    const flock_sha256_input *last = inputs + (statement->n_paths - 1) * D;
    for (uint64_t p = statement->n_paths; p < (uint64_t)1 << shape.path_log; p++) {
        memcpy(inputs + p * D, last, D * sizeof *inputs);
    }
    return FLOCK_OK;
}
