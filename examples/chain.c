/* Prove the end of a hash chain of which the verifier knows start and length. */
#include <flock/prove.h>
#include <flock/verify.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const uint8_t start[32] = "The start is known to both";
    static const uint8_t messages[100 * 64] = "One block of 64 bytes for each of the 100 steps";
    flock_chain chain = {
        .circuit = FLOCK_BLAKE3, .steps = 100, .start = start, .messages = messages};
    flock_statement claimed;
    uint8_t *proof;
    size_t proof_len;

    flock_status status = flock_prove_chain(&chain, NULL, &proof, &proof_len, NULL);
    if (status != FLOCK_OK) {
        printf("cannot prove: %s\n", flock_status_text(status));
        return 1;
    }

    /* The prover chose the statement: compare all of it that matters. */
    status = flock_verify(proof, proof_len, &claimed);
    if (status != FLOCK_OK || claimed.relation != FLOCK_CHAIN || claimed.circuit != FLOCK_BLAKE3 ||
        claimed.format != FLOCK_NATIVE || claimed.profile != FLOCK_FAST || claimed.count != 100 ||
        memcmp(claimed.start, start, sizeof start) != 0) {
        printf("not accepted: %s\n", flock_status_text(status));
        flock_free(proof);
        return 1;
    }
    printf("%zu bytes prove 100 steps to ", proof_len);
    for (size_t i = 0; i < sizeof start; i++) {
        printf("%02x", claimed.end[i]);
    }
    putchar('\n');
    flock_free(proof);
    return 0;
}
