/* From a chain's definition to the inputs of its instances, and both endpoints. Prover only. */
#ifndef FLOCK_RELATION_INPUTS_H
#define FLOCK_RELATION_INPUTS_H

#include <flock/prove.h>

/*
 * Run the chain natively through `slots` instances: the steps of *chain, then all-zero messages
 * (spec 09, 9.4). inputs: room for `slots` items of the circuit's input type. Writes the endpoints
 * of the real steps to start and end (physical order).
 */
void chain_inputs(const flock_chain *chain, uint64_t slots, void *inputs,
                  uint8_t start[FLOCK_MAX_REGION_BYTES], uint8_t end[FLOCK_MAX_REGION_BYTES]);

#endif
