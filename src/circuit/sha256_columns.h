/*
 * Columns of the SHA-256 block (spec 06, 3.2).
 *
 *     0      256     512   1024  3072  5120            19008     20544
 *     [ H_in | H_out | M   | ch  | mj  | round adders  | W[16..] | schedule adders  ...
 *
 *     25008 27056 29104 31152           31400 31401  32768
 *     ... T1 | E  | A   | output adders | 1   | zero ]
 */
#ifndef FLOCK_CIRCUIT_SHA256_COLUMNS_H
#define FLOCK_CIRCUIT_SHA256_COLUMNS_H

enum {
    SHA256_K_LOG = 15,
    SHA256_H_IN = 0,
    SHA256_H_OUT = 256,
    SHA256_MESSAGE = 512,
    SHA256_CH = 1024,
    SHA256_MAJ = 3072,
    SHA256_ROUND = 5120, /* 7 adders a round */
    SHA256_ROUND_BITS = 217,
    SHA256_W = 19008,        /* W[16..63] */
    SHA256_SCHEDULE = 20544, /* 3 adders for each of W[16..63] */
    SHA256_SCHEDULE_BITS = 93,
    SHA256_T1 = 25008,
    SHA256_E = 27056,
    SHA256_A = 29104,
    SHA256_OUT = 31152, /* 8 adders */
    SHA256_ONE = 31400,
    SHA256_USEFUL_BITS = 31401,
    SHA256_ADD = 31, /* rows of an adder */
};

#endif
