/*
 * notation.h - hexadecimal, and chain values as people write them (spec 08, 8.1 and 8.2), against
 * the physical order of the library.
 *
 *   BLAKE3, SHA-256   eight 32-bit words, each most significant digit first: 64 digits
 *   Keccak            the 200 bytes of the state as usual (lane x + 5y at 8 (x + 5y),
 * little-endian): 400 digits; this is the physical order
 */
#ifndef NOTATION_H
#define NOTATION_H

#include <stdbool.h>
#include <stdint.h>

#include <flock/statement.h>

enum { MAX_NOTATION_DIGITS = 2 * FLOCK_MAX_REGION_BYTES };

/* Exactly `len` bytes, two digits each; white space around them is ignored. */
bool hex_read(const char *text, uint8_t *bytes, size_t len);
/* 2 len lower-case digits and a terminating zero. */
void hex_write(const uint8_t *bytes, size_t len, char *text);

/* Digits of a value of this circuit: 64 or 400. */
size_t notation_digits(flock_circuit circuit);

/* White space around the digits is ignored. False unless there are exactly as many as needed. */
bool notation_read(flock_circuit circuit, const char *text, uint8_t *region);

/* A Keccak state in the reference implementation's order of --initial-cv: bit k of byte i is bit
 * z = j div 25 of lane j mod 25, where j = 8i + k. */
bool notation_read_keccak_logical(const char *text, uint8_t region[200]);

/* Writes the digits and a terminating zero. */
void notation_write(flock_circuit circuit, const uint8_t *region,
                    char text[MAX_NOTATION_DIGITS + 1]);

#endif
