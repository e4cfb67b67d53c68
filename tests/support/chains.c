#include "support/chains.h"

flock_circuit circuit_named(const char *name)
{
    if (strcmp(name, "blake3") == 0) {
        return FLOCK_BLAKE3;
    }
    if (strcmp(name, "sha2") == 0 || strcmp(name, "sha256") == 0) {
        return FLOCK_SHA256;
    }
    if (strcmp(name, "keccak") == 0) {
        return FLOCK_KECCAK;
    }
    fail_msg("unknown circuit %s", name);
    return FLOCK_BLAKE3;
}

flock_profile profile_named(const char *name)
{
    if (strcmp(name, "fast") == 0) {
        return FLOCK_FAST;
    }
    if (strcmp(name, "slim") == 0) {
        return FLOCK_SLIM;
    }
    assert_string_equal(name, "secure");
    return FLOCK_SECURE;
}

flock_layout layout_named(const char *name)
{
    if (strncmp(name, "row", 3) == 0) {
        return FLOCK_ROW_MAJOR;
    }
    assert_int_equal(strncmp(name, "batch", 5), 0);
    return FLOCK_BATCH_MAJOR;
}

/* 64 hex digits of eight big-endian words to physical order. */
static void words_from_hex(const char *hex, uint8_t out[32])
{
    uint8_t bytes[32];
    hex_to_bytes(hex, bytes, 32);
    for (size_t w = 0; w < 8; w++) {
        store_le32(out + 4 * w, load_be32(bytes + 4 * w));
    }
}

/* 200 bytes in the reference's logical order j = x + 5y + 25z to physical order (spec 08, 8.2). */
static void keccak_from_logical_hex(const char *hex, uint8_t out[200])
{
    uint8_t logical[200];
    hex_to_bytes(hex, logical, 200);
    memset(out, 0, 200);
    for (size_t j = 0; j < 1600; j++) {
        size_t p = 64 * (j % 25) + j / 25;
        out[p / 8] |= (uint8_t)((logical[j / 8] >> (j % 8) & 1) << (p % 8));
    }
}

void chain_from_arguments(const json_t *arguments, flock_chain *chain, uint8_t *start, char *label,
                          size_t label_len)
{
    memset(chain, 0, sizeof *chain);
    chain->format = FLOCK_REFERENCE;
    label[0] = 0;
    for (size_t i = 0; i + 1 < json_array_size(arguments); i += 2) {
        const char *flag = string_of(at(arguments, i)), *value = string_of(at(arguments, i + 1));
        size_t used = strlen(label);
        snprintf(label + used, label_len - used, "%s %.20s ", flag, value);
        if (strcmp(flag, "--hash") == 0) {
            chain->circuit = circuit_named(value);
        } else if (strcmp(flag, "--steps") == 0) {
            chain->steps = strtoull(value, NULL, 10);
        } else if (strcmp(flag, "--mode") == 0) {
            chain->profile = profile_named(value);
        } else if (strcmp(flag, "--seed") == 0) {
            chain->seed = strtoull(value, NULL, 16);
        } else {
            assert_string_equal(flag, "--initial-cv");
            if (chain->circuit == FLOCK_KECCAK) {
                keccak_from_logical_hex(value, start);
            } else {
                words_from_hex(value, start);
            }
            chain->start = start;
        }
    }
}
