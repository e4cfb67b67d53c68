#include "notation.h"

#include <ctype.h>
#include <string.h>

enum { KECCAK_BYTES = 200, KECCAK_LANES = 25 };

size_t notation_digits(flock_circuit circuit)
{
    return 2 * flock_region_bytes(circuit);
}

static int hex_digit(char digit)
{
    static const char digits[] = "0123456789abcdef";
    const char *place = digit ? strchr(digits, tolower((unsigned char)digit)) : NULL;

    return place ? (int)(place - digits) : -1;
}

bool hex_read(const char *text, uint8_t *bytes, size_t len)
{
    while (isspace((unsigned char)*text)) {
        text++;
    }
    for (size_t i = 0; i < len; i++, text += 2) {
        int high = hex_digit(text[0]);
        int low = high < 0 ? -1 : hex_digit(text[1]);
        if (low < 0) {
            return false;
        }
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    while (isspace((unsigned char)*text)) {
        text++;
    }
    return *text == '\0';
}

void hex_write(const uint8_t *bytes, size_t len, char *text)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < len; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    text[2 * len] = '\0';
}

/* Between words written most significant byte first and the little-endian words of the library. */
static void swap_words(uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i += 4) {
        uint8_t word[4] = {bytes[i + 3], bytes[i + 2], bytes[i + 1], bytes[i]};
        memcpy(bytes + i, word, 4);
    }
}

static bool has_words(flock_circuit circuit)
{
    return circuit == FLOCK_BLAKE3 || circuit == FLOCK_SHA256;
}

bool notation_read(flock_circuit circuit, const char *text, uint8_t *region)
{
    size_t len = flock_region_bytes(circuit);

    if (len == 0 || !hex_read(text, region, len)) {
        return false;
    }
    if (has_words(circuit)) {
        swap_words(region, len);
    }
    return true;
}

bool notation_read_keccak_logical(const char *text, uint8_t region[200])
{
    uint8_t logical[KECCAK_BYTES];

    if (!hex_read(text, logical, KECCAK_BYTES)) {
        return false;
    }
    memset(region, 0, KECCAK_BYTES);
    for (unsigned j = 0; j < 8 * KECCAK_BYTES; j++) {
        unsigned lane = j % KECCAK_LANES, z = j / KECCAK_LANES;
        unsigned bit = logical[j / 8] >> (j % 8) & 1;
        region[8 * lane + z / 8] |= (uint8_t)(bit << (z % 8));
    }
    return true;
}

void notation_write(flock_circuit circuit, const uint8_t *region,
                    char text[MAX_NOTATION_DIGITS + 1])
{
    uint8_t bytes[FLOCK_MAX_REGION_BYTES];
    size_t len = flock_region_bytes(circuit);

    memcpy(bytes, region, len);
    if (has_words(circuit)) {
        swap_words(bytes, len);
    }
    hex_write(bytes, len, text);
}
