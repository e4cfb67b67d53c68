#include "batch_inputs.h"

#include <string.h>

enum { BLAKE3_BYTES = 112, SHA256_BYTES = 96, KECCAK_BYTES = 200 };

/* Records are turned into inputs where they are. */
_Static_assert(sizeof(flock_blake3_input) == BLAKE3_BYTES, "as large as a record");
_Static_assert(sizeof(flock_sha256_input) == SHA256_BYTES, "as large as a record");
_Static_assert(sizeof(flock_keccak_input) == KECCAK_BYTES, "as large as a record");

size_t batch_input_bytes(flock_circuit circuit)
{
    switch (circuit) {
    case FLOCK_BLAKE3:
        return BLAKE3_BYTES;
    case FLOCK_SHA256:
        return SHA256_BYTES;
    default:
        return KECCAK_BYTES;
    }
}

/* ---- records ---- */

static uint64_t little_endian(const uint8_t *bytes, size_t len)
{
    uint64_t value = 0;

    for (size_t i = len; i-- > 0;) {
        value = value << 8 | bytes[i];
    }
    return value;
}

static void little_endian_words(uint32_t *words, size_t n, const uint8_t *bytes)
{
    for (size_t i = 0; i < n; i++) {
        words[i] = (uint32_t)little_endian(bytes + 4 * i, 4);
    }
}

static void big_endian_words(uint32_t *words, size_t n, const uint8_t *bytes)
{
    for (size_t i = 0; i < n; i++, bytes += 4) {
        words[i] = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
                   (uint32_t)bytes[3];
    }
}

static void blake3_from_record(uint8_t *record)
{
    flock_blake3_input input;

    little_endian_words(input.cv, 8, record);
    little_endian_words(input.message, 16, record + 32);
    input.counter = little_endian(record + 96, 8);
    input.block_len = (uint32_t)little_endian(record + 104, 4);
    input.flags = (uint32_t)little_endian(record + 108, 4);
    memcpy(record, &input, sizeof input);
}

static void sha256_from_record(uint8_t *record)
{
    flock_sha256_input input;

    big_endian_words(input.state, 8, record);
    big_endian_words(input.message, 16, record + 32);
    memcpy(record, &input, sizeof input);
}

static void keccak_from_record(uint8_t *record)
{
    flock_keccak_input input;

    for (size_t lane = 0; lane < 25; lane++) {
        input.lanes[lane] = little_endian(record + 8 * lane, 8);
    }
    memcpy(record, &input, sizeof input);
}

void batch_inputs_from_records(flock_circuit circuit, void *records, uint64_t count)
{
    void (*from_record)(uint8_t *) = circuit == FLOCK_BLAKE3   ? blake3_from_record
                                     : circuit == FLOCK_SHA256 ? sha256_from_record
                                                               : keccak_from_record;
    uint8_t *record = records;

    for (uint64_t i = 0; i < count; i++, record += batch_input_bytes(circuit)) {
        from_record(record);
    }
}

/* ---- seeds ---- */

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static void random_words(uint32_t *words, size_t n, uint64_t *state)
{
    for (size_t i = 0; i < n; i++) {
        words[i] = (uint32_t)splitmix64(state);
    }
}

static void blake3_from_seed(flock_blake3_input *inputs, uint64_t count, uint64_t state)
{
    for (flock_blake3_input *input = inputs; input < inputs + count; input++) {
        random_words(input->cv, 8, &state);
        random_words(input->message, 16, &state);
        input->counter = splitmix64(&state);
        input->block_len = (uint32_t)(splitmix64(&state) & 0x3f) + 1;
        input->flags = (uint32_t)(splitmix64(&state) & 0x7f);
    }
}

static void sha256_from_seed(flock_sha256_input *inputs, uint64_t count, uint64_t state)
{
    for (flock_sha256_input *input = inputs; input < inputs + count; input++) {
        random_words(input->state, 8, &state);
        random_words(input->message, 16, &state);
    }
}

static void keccak_from_seed(flock_keccak_input *inputs, uint64_t count, uint64_t state)
{
    for (flock_keccak_input *input = inputs; input < inputs + count; input++) {
        for (size_t lane = 0; lane < 25; lane++) {
            input->lanes[lane] = splitmix64(&state);
        }
    }
}

void batch_inputs_from_seed(flock_circuit circuit, uint64_t seed, void *inputs, uint64_t count)
{
    switch (circuit) {
    case FLOCK_BLAKE3:
        blake3_from_seed(inputs, count, seed);
        break;
    case FLOCK_SHA256:
        sha256_from_seed(inputs, count, seed);
        break;
    default:
        keccak_from_seed(inputs, count, seed);
        break;
    }
}
