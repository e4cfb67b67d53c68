/*
 * params_toml.h - the parameters of a proof as TOML, for soundness calculators of hash-based
 * proofs. The fields are explained in docs/security.md.
 */
#ifndef PARAMS_TOML_H
#define PARAMS_TOML_H

#include <flock/params.h>

/* Print one TOML document on standard output. */
void print_params_toml(flock_format format, unsigned m, flock_profile profile,
                       const flock_parameters *parameters, const flock_security *security);

#endif
