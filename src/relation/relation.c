#include "relation/relation.h"

const struct relation *relation_of(flock_relation which)
{
    static const struct relation *const table[] = {
        [FLOCK_BATCH] = &batch_relation,
        [FLOCK_CHAIN] = &chain_relation,
        [FLOCK_DIGEST] = &digest_relation,
        [FLOCK_MERKLE] = &merkle_relation,
    };
    return table[which];
}

flock_status size_by_count(uint64_t count, const struct circuit *circuit, unsigned *n_log)
{
    if (count == 0) {
        return FLOCK_ERR_ARGUMENT;
    }
    uint64_t slots = count / circuit->copies + (count % circuit->copies != 0);
    if (slots > (uint64_t)1 << (MAX_LOG_BITS - circuit->k_log)) {
        return FLOCK_ERR_TOO_LARGE;
    }
    *n_log = 3;
    while (((uint64_t)1 << *n_log) < slots) {
        ++*n_log;
    }
    return FLOCK_OK;
}
