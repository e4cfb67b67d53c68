/* Prove that one knows a message with a SHA-256 digest, and verify the proof. */
#include <flock/prove.h>
#include <flock/verify.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char message[] = "The prover keeps the first 64 bytes of a message of this "
                                  "length. The last ones are public.";
    static const char digest[] = "\xc2\x96\x22\x15\x37\x46\x90\x65\xb7\xe8\x09\x3b\xf8\xaf\x71\x42"
                                 "\xf9\x97\x8f\xf4\x3e\x29\xf5\x05\x77\x35\x04\x5c\x5e\xf1\x8e\xf9";
    flock_digest known = {.message = (const uint8_t *)message, .message_bytes = strlen(message)};
    flock_statement claimed;
    uint8_t *proof;
    size_t proof_len;

    flock_status status = flock_prove_digest(&known, NULL, &proof, &proof_len, NULL);
    if (status != FLOCK_OK) {
        printf("cannot prove: %s\n", flock_status_text(status));
        return 1;
    }

    /* The verifier knows the digest. It learns the length, and the last length % 64 bytes. */
    status = flock_verify(proof, proof_len, &claimed);
    flock_free(proof);
    if (status != FLOCK_OK || claimed.relation != FLOCK_DIGEST || claimed.profile != FLOCK_FAST ||
        memcmp(claimed.digest, digest, sizeof claimed.digest) != 0) {
        printf("not accepted: %s\n", flock_status_text(status));
        return 1;
    }
    printf("%zu bytes prove a message of %llu bytes that ends in \"%.*s\"\n", proof_len,
           (unsigned long long)claimed.message_bytes, (int)(claimed.message_bytes % 64),
           (const char *)claimed.tail);
    return 0;
}
