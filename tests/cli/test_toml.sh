# flock_chain params --toml: valid TOML that says the same as --json.
. "$(dirname "$0")/lib.sh"

cat >compare.py <<'END'
import json, sys, tomllib

toml = tomllib.load(open(sys.argv[1], "rb"))
result = json.load(open(sys.argv[2]))
proof, parameters, security = toml["proof"], result["parameters"], result["security"]


def same(what, a, b):
    if a != b and not (isinstance(a, float) and abs(a - b) <= 0.0051):
        sys.exit(f"{what}: {a} is not {b}")


same("m", proof["log_witness_bits"], result["m"])
same("version", proof["version"], result["version"])
same("name", proof["name"], f"flock {result['format']} {result['mode']} m={result['m']}")
same("regime", proof["regime"] == "unique-decoding", result["mode"] == "secure")
for key in ("log_elements", "log_residual"):
    same(key, proof[key], parameters[key])
for key, name in (("target_bits",) * 2, ("security_bits", "minimum_bits"), ("union_bits",) * 2,
                  ("list_size",) * 2):
    same(key, proof[key], security[name])
same("levels", len(toml["level"]), len(parameters["levels"]))
for level, expected in zip(toml["level"], parameters["levels"]):
    lanes, pow_bits = expected["log_lanes"], expected["fold_pow"]
    same("rate", level["rate"], 2.0 ** -expected["log_inv_rate"])
    same("message", level["log_message_length"], expected["log_message"])
    same("code", level["log_code_length"], expected["log_message"] + expected["log_inv_rate"])
    same("lanes", level["interleaving"], 2**lanes)
    same("fold factor", level["fold_factor"], 2 ** level["folds"])
    same("folds", level["folds"], lanes)
    same("queries", level["queries"], expected["queries"])
    same("query grinding", level["query_grinding_bits"], expected["query_pow"])
    same("fold grinding", level["fold_grinding_bits"], [max(0, pow_bits - j) for j in range(lanes)])
    same("samples", level["out_of_domain_samples"], expected["ood_samples"])
same("terms", len(toml["error"]), len(security["terms"]))
for term, expected in zip(toml["error"], security["terms"]):
    for key in ("name", "count", "bits"):
        same(key, term[key], expected[key])
    for key in ("level", "fold"):
        same(key, term.get(key), expected[key])
same("weakest", min(term["bits"] for term in toml["error"]), proof["security_bits"])
END

for format in native reference; do
    for m in 13 22 35; do
        [ $format.$m != reference.13 ] || continue
        for mode in fast slim secure; do
            run 0 "$flock_chain" params --m $m --mode $mode --format $format --json
            cp capture/out params.json
            run 0 "$flock_chain" params --m $m --mode $mode --format $format --toml
            python3 compare.py capture/out params.json || complain "not what --json says"
        done
    done
done
run 1 "$flock_chain" params --m 22 --toml --json
err_has '--toml and --json exclude each other'
finish
