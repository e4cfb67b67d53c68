#include <string.h>

#include "backend/kernels.h"
#include "base/prover_context.h"
#include "field/multilinear.h"
#include "relation/slots.h"

enum { BLOCK = 256 /* instances of a task */ };

struct slot_job {
    const struct shape *shape;
    const gf128 *packed_witness;
    gf128 eq[1 << MAX_SLOT_LOG];
    unsigned q;
    size_t block, n_blocks;
    gf128 *folded;
};

/* One slot of a block of instances; 2^q products each. */
static void fold_block(void *context, size_t task)
{
    const struct slot_job *job = context;
    size_t slot = task / job->n_blocks, first = task % job->n_blocks * job->block;
    gf128 *folded = job->folded + (slot << job->shape->n_log) + first;
    size_t n_chunks = (size_t)1 << job->q, chunk = slot << job->q;

    if (element_index(job->shape, 0, 1) == 1) { /* the chunks of an instance side by side */
        for (size_t i = 0; i < job->block; i++) {
            const gf128 *chunks = job->packed_witness + element_index(job->shape, first + i, chunk);
            folded[i] = kernels()->dot(job->eq, chunks, n_chunks);
        }
        return;
    }
    memset(folded, 0, job->block * sizeof *folded);
    for (size_t c = 0; c < n_chunks; c++) {
        const gf128 *run = job->packed_witness + element_index(job->shape, first, chunk + c);
        kernels()->axpy(folded, run, job->eq[c], job->block);
    }
}

void fold_slots(struct prover_context *context, const struct setup *setup, const gf128 *p,
                const gf128 *packed_witness, size_t n_slots, gf128 *folded)
{
    size_t N = (size_t)1 << setup->shape.n_log, block = N < BLOCK ? N : BLOCK;
    struct slot_job job = {
        .shape = &setup->shape,
        .packed_witness = packed_witness,
        .q = slot_log(setup->circuit),
        .block = block,
        .n_blocks = N / block,
        .folded = folded,
    };
    eq_table(job.eq, p, job.q);
    parallel_for(context->threads, n_slots * job.n_blocks, fold_block, &job);
}
