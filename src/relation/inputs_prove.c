#include "relation/inputs.h"

#include <string.h>

#include "backend/kernels.h"
#include "base/bytes.h"
#include "hash/blake3.h"
#include "hash/keccak.h"
#include "hash/sha256.h"

static uint64_t splitmix64(uint64_t *state)
{
    *state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = *state;
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* The 16 message words of the next step: from the file, from the seed, or zero after the end. */
static void next_message(const flock_chain *chain, uint64_t step, uint64_t *seed,
                         uint32_t (*load)(const uint8_t *), uint32_t words[16])
{
    for (int j = 0; j < 16; j++) {
        if (step >= chain->steps) {
            words[j] = 0;
        } else if (chain->messages != NULL) {
            words[j] = load(chain->messages + 64 * step + 4 * (size_t)j);
        } else {
            words[j] = (uint32_t)splitmix64(seed);
        }
    }
}

static void load_words(uint32_t words[8], const uint8_t *bytes)
{
    for (int j = 0; j < 8; j++) {
        words[j] = load_le32(bytes + 4 * j);
    }
}

static void store_words(uint8_t *bytes, const uint32_t words[8])
{
    for (int j = 0; j < 8; j++) {
        store_le32(bytes + 4 * j, words[j]);
    }
}

/* The first chaining value in words, as the statement has it. */
static void first_words(const flock_chain *chain, const uint32_t initial[8], uint32_t words[8],
                        uint8_t *start)
{
    memcpy(words, initial, 8 * sizeof *words);
    if (chain->start != NULL) {
        load_words(words, chain->start);
    }
    store_words(start, words);
}

static void blake3_chain(const flock_chain *chain, uint64_t slots, flock_blake3_input *inputs,
                         uint8_t *start, uint8_t *end)
{
    uint32_t state[16];
    first_words(chain, blake3_iv, state, start);
    uint64_t seed = chain->seed;
    for (uint64_t i = 0; i < slots; i++) {
        flock_blake3_input *in = &inputs[i];
        memset(in, 0, sizeof *in);
        memcpy(in->cv, state, sizeof in->cv);
        in->block_len = 64;
        next_message(chain, i, &seed, load_le32, in->message);
        blake3_compress(state, in->cv, in->message, in->counter, in->block_len, in->flags);
        if (i + 1 == chain->steps) {
            store_words(end, state);
        }
    }
}

void sha256_step(flock_sha256_input *input, uint32_t state[8], const uint8_t block[64])
{
    memcpy(input->state, state, sizeof input->state);
    for (size_t j = 0; j < 16; j++) {
        input->message[j] = load_be32(block + 4 * j);
    }
    kernels()->sha256_compress(state, block, 1);
}

static void sha256_chain(const flock_chain *chain, uint64_t slots, flock_sha256_input *inputs,
                         uint8_t *start, uint8_t *end)
{
    uint32_t state[8];
    first_words(chain, sha256_initial, state, start);
    uint64_t seed = chain->seed;
    for (uint64_t i = 0; i < slots; i++) {
        uint32_t words[16];
        uint8_t block[64];
        next_message(chain, i, &seed, load_be32, words);
        for (size_t j = 0; j < 16; j++) {
            store_be32(block + 4 * j, words[j]);
        }
        sha256_step(&inputs[i], state, block);
        if (i + 1 == chain->steps) {
            store_words(end, state);
        }
    }
}

/* Keccak takes no messages: the chain is the iterated permutation, padding included. */
static void keccak_chain(const flock_chain *chain, uint64_t slots, flock_keccak_input *inputs,
                         uint8_t *start, uint8_t *end)
{
    uint64_t lanes[KECCAK_LANES] = {0};
    for (size_t l = 0; l < KECCAK_LANES; l++) {
        if (chain->start != NULL) {
            lanes[l] = load_le64(chain->start + 8 * l);
        }
        store_le64(start + 8 * l, lanes[l]);
    }
    for (uint64_t i = 0; i < slots; i++) {
        memcpy(inputs[i].lanes, lanes, sizeof lanes);
        keccak_f1600(lanes);
        for (size_t l = 0; i + 1 == chain->steps && l < KECCAK_LANES; l++) {
            store_le64(end + 8 * l, lanes[l]);
        }
    }
}

void chain_inputs(const flock_chain *chain, uint64_t slots, void *inputs,
                  uint8_t start[FLOCK_MAX_REGION_BYTES], uint8_t end[FLOCK_MAX_REGION_BYTES])
{
    switch (chain->circuit) {
    case FLOCK_BLAKE3:
        blake3_chain(chain, slots, inputs, start, end);
        break;
    case FLOCK_SHA256:
        sha256_chain(chain, slots, inputs, start, end);
        break;
    case FLOCK_KECCAK:
        keccak_chain(chain, slots, inputs, start, end);
        break;
    case FLOCK_KECCAK3:
        break; /* no chains: statement_setup() has refused it */
    }
}
