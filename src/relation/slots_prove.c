#include "field/multilinear.h"
#include "relation/slots.h"

void fold_slots(const struct setup *setup, const gf128 *p, const gf128 *packed_witness,
                size_t n_slots, gf128 *folded)
{
    gf128 eq[1 << MAX_SLOT_LOG];
    unsigned q = slot_log(setup->circuit);
    eq_table(eq, p, q);
    size_t N = (size_t)1 << setup->shape.n_log;
    for (size_t slot = 0; slot < n_slots; slot++) {
        for (size_t i = 0; i < N; i++) {
            gf128 sum = GF128_ZERO;
            for (size_t c = 0; c < (size_t)1 << q; c++) {
                size_t index = element_index(&setup->shape, i, (slot << q) + c);
                sum = gf128_add(sum, gf128_mul(eq[c], packed_witness[index]));
            }
            folded[slot * N + i] = sum;
        }
    }
}
