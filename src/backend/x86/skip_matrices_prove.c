#include "backend/x86/skip_matrices.h"

#include "backend/x86/skip_basis.h"
#include "base/once.h"
#include "field/gf8.h"

/* The matrix with these images of the bits 0..7 of a byte: row i of bits is byte 7 - i. */
static uint64_t matrix(const uint8_t images[8])
{
    uint64_t rows = 0;
    for (unsigned i = 0; i < 8; i++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            rows |= (uint64_t)(images[bit] >> i & 1) << (8 * (7 - i) + bit);
        }
    }
    return rows;
}

/* The products of one node of each block i, times c. */
static void prepare_node(uint64_t products[SKIP_PRODUCTS][8], unsigned node, uint8_t c)
{
    uint64_t Z[8] = {0}, Z_A[8] = {0};

    for (unsigned i = 0; i < 8; i++) {
        uint8_t images[8];
        for (unsigned bit = 0; bit < 8; bit++) {
            images[bit] = gf8_mul(c, skip_extension[8 * i + (node ^ bit)]);
        }
        Z[i] = matrix(images);
    }
    for (unsigned A = 0; A < 8; A++) {
        for (unsigned i = 0; i < 8; i++) {
            Z_A[A] ^= (i & A) == A ? Z[i] : 0;
        }
    }
    for (unsigned A = 0; A < 8; A++) {
        products[A][node] = Z_A[A];
    }
    for (unsigned p = 0; p < SKIP_PAIRS; p++) {
        products[8 + p][node] = Z_A[skip_pairs[p][0]] ^ Z_A[skip_pairs[p][1]];
    }
}

/* Coordinates of x^0 .. x^127. */
static void prepare_coordinates(uint64_t coordinates[16][16])
{
    uint8_t power[16] = {1}, images[16][8];

    for (unsigned t = 0; t < 16; t++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            for (unsigned j = 0; j < 16; j++) {
                images[j][bit] = power[j];
            }
            coordinates_mul_x(power);
        }
        for (unsigned j = 0; j < 16; j++) {
            coordinates[t][j] = matrix(images[j]);
        }
    }
}

static void prepare_embedding(uint64_t embedding[31][16])
{
    gf128 basis[8];

    for (unsigned bit = 0; bit < 8; bit++) {
        basis[bit] = phi8_basis[bit];
    }
    for (unsigned s = 0; s < 31; s++) {
        for (unsigned c = 0; c < 16; c++) {
            uint8_t images[8];
            for (unsigned bit = 0; bit < 8; bit++) {
                uint64_t half = c < 8 ? basis[bit].lo : basis[bit].hi;
                images[bit] = (uint8_t)(half >> 8 * (c % 8));
            }
            embedding[s][c] = matrix(images);
        }
        for (unsigned bit = 0; bit < 8; bit++) {
            basis[bit] = gf128_mul_x(basis[bit]);
        }
    }
}

static void prepare(struct skip_matrices *m)
{
    uint8_t root = 2, power = 1; /* root^2 = 2^256 = 2 */
    for (unsigned i = 0; i < 7; i++) {
        root = gf8_mul(root, root);
    }
    for (unsigned k = 0; k < 8; k++) {
        for (unsigned node = 0; node < 8; node++) {
            prepare_node(m->extension[k], node, power);
        }
        power = gf8_mul(power, root);
    }
    prepare_coordinates(m->coordinates);
    prepare_embedding(m->embedding);
}

const struct skip_matrices *skip_matrices(void)
{
    static struct skip_matrices matrices;
    static struct once once;

    if (once_first(&once)) {
        prepare(&matrices);
        once_done(&once);
    }
    return &matrices;
}
