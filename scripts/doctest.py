#!/usr/bin/env python3
"""Run the commands shown in *.md and docs/*.md and compare what they print with what is shown.

    scripts/doctest.py SOURCE BUILD     the folder of the project and that of the built programs

Shell blocks are indented by four spaces or fenced by ``` or ```sh. In them

    $ command          is run; the lines that follow, up to the next command, must be its output
    flock_... ...      is run (also head ...); its output is not shown. It must succeed, or end with
                       the code N that a comment on the line names as "exit code N"
    make ..., cmake …  are not run, but the target, preset or script must exist; nor are benchmarks

Blocks fenced by ```c are compiled, as a file's includes and the inside of a function of a verifier.

A backslash at the end continues a command. The commands of a document run in one folder with
LICENSE-APACHE and examples/ of the project, and with the programs in PATH. A line of three dots
stands for any lines. Numbers that differ between runs and machines (VARYING) may be anything; all
else must be equal.
"""

import difflib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

VARYING = [
    (r"^(time +)[0-9.]+ s$", r"\1? s"),
    (r"^(memory +)[0-9.]+ [KMG]iB$", r"\1?"),
    (r"^(threads +)[0-9]+$", r"\1?"),
    (r"^(backend +)[a-z0-9]+$", r"\1?"),
    (r'("(?:seconds|peak_bytes|threads|total)": ?)[0-9.]+', r"\1?"),
    (r'("backend": ?)"[a-z0-9]+"', r"\1?"),
]
RUN = ("flock_", "head ")
NOT_RUN = ("make", "cmake", "sudo", "scripts/", "build/release/", "git", "cc", "apt-get",
           "flock_bench")

failures = 0
ran = compared = 0


def complain(where, text):
    global failures
    failures += 1
    print(f"FAILED: {where}: {text}")


def blocks(lines):
    """(language, list of (line number, text)) of the blocks of a document; "sh" if indented."""
    block, fence = [], None
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            if fence is None:
                fence = line[3:].strip() or "sh"
            else:
                yield fence, block
                block, fence = [], None
        elif fence is not None:
            block.append((number, line))
        elif line.startswith("    "):
            block.append((number, line[4:]))
        elif not line.strip() and block:
            block.append((number, ""))
        elif block:
            yield "sh", block
            block = []
    if block:
        yield "sh", block


def commands(block):
    """(line number, command, shown output or None) of a block."""
    found = []
    lines = iter(block)
    for number, line in lines:
        is_command = line.startswith("$ ")
        in_output = found and found[-1][2] is not None
        if is_command or (not in_output and line.startswith(RUN + NOT_RUN)):
            text = line[2:] if is_command else line
            while text.endswith("\\"):
                text = text[:-1] + next(lines)[1].strip()
            found.append((number, text, [] if is_command else None))
        elif in_output:
            found[-1][2].append(line)
    for number, text, output in found:
        while output and not output[-1]:
            output.pop()
        yield number, text, output


def normal(lines):
    for line in lines:
        for pattern, replacement in VARYING:
            line = re.sub(pattern, replacement, line)
        yield line


def matches(shown, actual):
    """Equal, where "..." stands for any number of lines."""
    pattern = "".join("(?:.*\n)*" if line == "..." else re.escape(line) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in actual)) is not None


def check_exists(where, text, source):
    words = text.split("#")[0].split()
    if words[0] == "make":
        makefile = (source / "Makefile").read_text()
        for target in (word for word in words[1:] if "=" not in word):
            if not re.search(rf"^{re.escape(target)}:", makefile, flags=re.M):
                complain(where, f"no target {target}")
    elif words[0].startswith("scripts/") and not (source / words[0]).exists():
        complain(where, f"no {words[0]}")
    elif words[:2] == ["cmake", "--preset"]:
        if f'"name": "{words[2]}"' not in (source / "CMakePresets.json").read_text():
            complain(where, f"no preset {words[2]}")


def compile_c(where, block, source):
    lines = [text for _, text in block]
    includes = [line for line in lines if line.startswith("#include")]
    body = [line for line in lines if not line.startswith("#include")]
    unit = "\n".join([*includes, "#include <string.h>",
                      "void verifier(const uint8_t *proof, size_t proof_len, const uint8_t *start,",
                      "              const uint8_t *end);",
                      "void verifier(const uint8_t *proof, size_t proof_len, const uint8_t *start,",
                      "              const uint8_t *end)", "{", *body, "}", ""])
    result = subprocess.run(["cc", "-std=c17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                             f"-I{source}/include", "-xc", "-"], input=unit, text=True,
                            capture_output=True)
    if result.returncode:
        complain(where, f"does not compile: {result.stderr}")


def run(where, text, shown, folder, environment):
    global ran, compared
    expected = re.search(r"#.*exit code (\d)", text)
    result = subprocess.run(["bash", "-c", text], cwd=folder, env=environment, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    ran += 1
    if result.returncode != (int(expected.group(1)) if expected else 0):
        complain(where, f"{text}\n  ended with {result.returncode}: {result.stdout}")
    elif shown is not None:
        compared += 1
        shown, actual = list(normal(shown)), list(normal(result.stdout.splitlines()))
        if not matches(shown, actual):
            difference = difflib.unified_diff(shown, actual, "shown", "printed", lineterm="")
            complain(where, text + "\n  " + "\n  ".join(difference))


def check_document(path, source, build):
    environment = dict(os.environ, PATH=f"{build}:{os.environ['PATH']}", LC_ALL="C")
    environment.pop("FLOCK_BACKEND", None)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in ("LICENSE-APACHE", "examples"):
            (folder / file).symlink_to(source / file)
        for language, block in blocks(path.read_text().splitlines()):
            if language == "c":
                compile_c(f"{path.relative_to(source)}:{block[0][0]}", block, source)
            if language != "sh":
                continue
            for number, text, shown in commands(block):
                where = f"{path.relative_to(source)}:{number}"
                if text.startswith(NOT_RUN):
                    check_exists(where, text, source)
                else:
                    run(where, text, shown, folder, environment)


def main():
    source, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    for path in [*sorted(source.glob("*.md")), *sorted((source / "docs").glob("*.md"))]:
        check_document(path, source, build)
    print(f"doctest: {ran} commands run, {compared} outputs compared, {failures} failed")
    sys.exit(failures > 0 or compared < 10)


if __name__ == "__main__":
    main()
