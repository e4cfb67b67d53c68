#!/usr/bin/env python3
"""Write the manual pages and shell completions of the programs from what their --help prints.

    scripts/manual.py FOLDER        FOLDER has the programs, for example build/release
    scripts/manual.py FOLDER DIR    write into DIR instead of man/ and completions/

man/*.1 and completions/* are kept in the repository, so that installing needs no Python;
tests/cli/test_manual.sh compares them with the programs. `make manual` writes them again.
"""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

PROGRAMS = ["flock_chain", "flock_batch", "flock_digest", "flock_merkle"]
DATE = "November 30, 2026"

# The words of flags whose value is one of a list, by the name of the value in the help.
WORDS = {
    "HASH": ["blake3", "sha256", "keccak"],
    "MODE": ["fast", "slim", "secure"],
    "LAYOUT": ["row", "batch"],
    "FORMAT": ["native", "reference"],
}
FILES = ["FILE", "TREE"]

EXAMPLES = {
    "flock_chain": [
        ("Prove a thousand steps of BLAKE3 and verify the proof:",
         ["flock_chain prove --hash blake3 --steps 1000 --out chain.flock",
          "flock_chain verify --in chain.flock --expect-hash blake3 --expect-steps 1000"]),
        ("All parameters and error terms of a profile:",
         ["flock_chain params --m 28 --mode secure"]),
    ],
    "flock_batch": [
        ("Prove evaluations of SHA-256 with inputs from a file of 96 bytes each:",
         ["flock_batch prove --hash sha256 --inputs blocks.bin --out batch.flock",
          "flock_batch verify --in batch.flock --expect-hash sha256"]),
    ],
    "flock_digest": [
        ("Prove the digest of a file and compare with what sha256sum prints:",
         ["flock_digest prove --file report.pdf --out report.flock",
          "flock_digest verify --in report.flock --expect-digest HEX --expect-length N"]),
    ],
    "flock_merkle": [
        ("Make a tree of the lines of a file and prove that two of them are in it:",
         ["flock_merkle tree --lines accounts.txt --out accounts.tree",
          "flock_merkle prove --tree accounts.tree --index 1,3 --out accounts.flock",
          "flock_merkle verify --in accounts.flock --expect-root HEX --expect-depth 3"]),
    ],
}


class Flag:
    def __init__(self, name, argument, text):
        self.name = name
        self.argument = argument  # None for a switch
        self.text = text
        self.required = False

    def repeatable(self):
        return self.argument is not None and self.argument.endswith(" ...")


class Command:
    def __init__(self, name, summary):
        self.name = name
        self.summary = summary
        self.about = []
        self.flags = []


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()


def section(lines, title):
    """The lines from the one after `title` to the next empty line."""
    start = lines.index(title) + 1
    end = lines.index("", start) if "" in lines[start:] else len(lines)
    return lines[start:end]


def read_flags(lines):
    """The table of flags: a name of 24 columns and a text that may take several lines."""
    flags = []
    for line in lines:
        left, text = line[2:27].strip(), line[27:]
        if left:
            name, _, argument = left.partition(" ")
            flags.append(Flag(name, argument or None, text))
        else:
            flags[-1].text += " " + text
    return flags


def read_command(program, command):
    lines = run(program, command.name, "--help")
    command.about = lines[2 : lines.index("Flags:") - 1]
    command.flags = read_flags(section(lines, "Flags:"))
    for flag in command.flags:
        flag.required = f" {flag.name} " in lines[0]
    command.exit_codes = [line.split(None, 1) for line in section(lines, "Exit codes:")]


class Program:
    def __init__(self, folder, name):
        path = f"{folder}/{name}"
        lines = run(path, "--help")
        self.name = name
        self.about = lines[2 : lines.index("Commands:") - 1]
        self.commands = []
        for line in section(lines, "Commands:"):
            command = Command(*line.split(None, 1))
            read_command(path, command)
            self.commands.append(command)

    def words(self, flag):
        """The values that a flag can take, or None."""
        words = WORDS.get(flag.argument)
        if words and flag.argument == "HASH" and self.name == "flock_batch":
            return words + ["keccak3"]
        return words


# ---- manual pages ----


def escape(text):
    for character, name in (("\\", "\\e"), ("--", "\\-\\-"), ("^", "\\(ha"), ("`", "\\(ga"),
                            ("~", "\\(ti")):
        text = text.replace(character, name)
    return text


def no_macro(line):
    return "\\&" + line if line[:1] in (".", "'") else line


def filled(text):
    """A paragraph: every sentence starts a line."""
    sentences = re.sub(r"([a-z)0-9]{2}[.:]) +(?=[A-Z])", r"\1\n", text).split("\n")
    return [no_macro(line) for sentence in sentences
            for line in textwrap.wrap(escape(sentence), 78, break_on_hyphens=False)]


def literal(lines):
    return [".Bd -literal -offset indent", *(no_macro(escape(line)) for line in lines), ".Ed"]


def blocks(lines):
    """Paragraphs of text: lists of lines that are separated by an empty line or by the start or end
    of indented lines."""
    previous = None
    out = []
    for line in lines:
        kind = line[:2] == "  " if line else None
        if kind is not None and kind != previous:
            out.append([])
        if line:
            out[-1].append(line)
        previous = kind
    return out


def paragraphs(blocks):
    """Text as mdoc; indented lines stay as they are."""
    out = []
    for block in blocks:
        if block[0].startswith("  "):
            out += literal([line[2:] for line in block])
        else:
            out += ([".Pp"] if out else []) + filled(" ".join(block))
    return out


def macro(flag):
    text = f"Fl \\-{flag.name[2:]}"
    if flag.argument:
        text += f" Ar {flag.argument.removesuffix(' ...')}"
    return text


def synopsis(program, command):
    lines = [f".Nm {program.name}", f".Cm {command.name}"]
    for flag in command.flags:
        if flag.name == "--help":
            continue
        lines.append(f".{macro(flag)}" if flag.required else f".Op {macro(flag)}")
        if flag.repeatable():
            lines.append(".No ...")
    return lines


def flag_list(flags):
    lines = [".Bl -tag -width Ds"]
    for flag in flags:
        lines += [f".It {macro(flag)}" + (" No ..." if flag.repeatable() else "")]
        lines += filled(flag.text)
    return lines + [".El"]


def manual_page(program):
    about = blocks(program.about)
    title = " ".join(about[0]).rstrip(".")
    page = [
        '.\\" Written by scripts/manual.py from the help texts of the program.',
        f".Dd {DATE}",
        f".Dt {program.name.upper()} 1",
        ".Os",
        ".Sh NAME",
        f".Nm {program.name}",
        f".Nd {title[0].lower()}{title[1:]}",
        ".Sh SYNOPSIS",
    ]
    for command in program.commands:
        page += synopsis(program, command)
    page += [f".Nm {program.name}", ".Fl \\-version", f".Nm {program.name}", ".Op Ar command",
             ".Fl \\-help", ".Sh DESCRIPTION", *paragraphs(about)]
    page += [".Pp", "Flags are written", ".Fl \\-name Ar VALUE", "or",
             ".Fl \\-name Ns = Ns Ar VALUE ,", "in any order."]
    for command in program.commands:
        new = [block for block in blocks(command.about) if block not in about]
        page += [f".Ss {command.name}", *paragraphs(new), *flag_list(command.flags)]
    page += [".Sh ENVIRONMENT", ".Bl -tag -width FLOCK_BACKEND", ".It Ev FLOCK_BACKEND",
             "The machine kernels to use if", ".Fl \\-backend", "is not given.", ".El"]
    page += [".Sh EXIT STATUS", ".Bl -tag -width Ds"]
    for code, meaning in program.commands[0].exit_codes:
        page += [f".It {code}", *filled(meaning)]
    page += [".El", ".Sh EXAMPLES"]
    for text, commands in EXAMPLES[program.name]:
        page += [text, *literal(commands), ".Pp"]
    page.pop()
    others = sorted(name for name in PROGRAMS if name != program.name)
    page += [".Sh SEE ALSO", *(f".Xr {name} 1 ," for name in others), ".Xr libflock 3"]
    return "\n".join(page) + "\n"


# ---- completions ----


def bash_value_cases(program):
    """For each flag with a value, what completes it; flags of one name agree in all commands."""
    cases = {}
    for command in program.commands:
        for flag in command.flags:
            words = program.words(flag)
            if words:
                cases[flag.name] = f'words="{" ".join(words)}"'
            elif flag.argument in FILES:
                cases[flag.name] = "files=yes"
            elif flag.argument:
                cases[flag.name] = ":"
    groups = {}
    for name, action in sorted(cases.items()):
        groups.setdefault(action, []).append(name)
    return [f"    {' | '.join(names)}) {action} ;;" for action, names in sorted(groups.items())]


def bash_completion(program):
    name = program.name
    commands = " ".join(command.name for command in program.commands)
    lines = [
        f"# bash completion for {name}; written by scripts/manual.py from its help texts.",
        f"_{name}() {{",
        "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}",
        "    local words= files=",
        "    # --flag=value is three words: --flag = value",
        "    if [ \"$current\" = = ]; then",
        "        current=",
        "    elif [ \"$previous\" = = ]; then",
        "        previous=${COMP_WORDS[COMP_CWORD - 2]}",
        "    fi",
        "    case $previous in",
        *bash_value_cases(program),
        "    *)",
        "        case $COMP_CWORD:${COMP_WORDS[1]} in",
        f'        1:*) words="{commands} help --help --version" ;;',
    ]
    for command in program.commands:
        flags = " ".join(flag.name for flag in command.flags)
        lines.append(f'        *:{command.name}) words="{flags}" ;;')
    lines += [
        "        esac",
        "        ;;",
        "    esac",
        "    if [ -n \"$files\" ]; then",
        "        compopt -o filenames 2>/dev/null",
        "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")",
        "    else",
        "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")",
        "    fi",
        "}",
        f"complete -F _{name} {name}",
    ]
    return "\n".join(lines) + "\n"


def zsh_quote(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh_flag(program, flag):
    text = re.sub(r"([\[\]\\:])", r"\\\1", flag.text)
    spec = f"{'*' if flag.repeatable() else ''}{flag.name}[{text}]"
    words = program.words(flag)
    if words:
        spec += f":{flag.argument}:({' '.join(words)})"
    elif flag.argument in FILES:
        spec += f":{flag.argument}:_files"
    elif flag.argument:
        spec += f":{flag.argument.removesuffix(' ...').replace(':', chr(92) + ':')}: "
    return zsh_quote(spec)


def zsh_completion(program):
    name = program.name
    lines = [
        f"#compdef {name}",
        f"# zsh completion for {name}; written by scripts/manual.py from its help texts.",
        f"_{name}() {{",
        "    local -a commands",
        "    commands=(",
        *(f"        {zsh_quote(c.name + ':' + c.summary)}" for c in program.commands),
        "    )",
        "    if (( CURRENT == 2 )); then",
        "        _describe command commands",
        "        return",
        "    fi",
        "    local command=$words[2]",
        "    shift words",
        "    (( CURRENT-- ))",
        "    case $command in",
    ]
    for command in program.commands:
        flags = " \\\n            ".join(zsh_flag(program, flag) for flag in command.flags)
        lines += [f"    {command.name})", f"        _arguments {flags}", "        ;;"]
    lines += ["    esac", "}", f'_{name} "$@"']
    return "\n".join(lines) + "\n"


def main():
    folder = sys.argv[1]
    root = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).parent.parent
    for name in PROGRAMS:
        program = Program(folder, name)
        for path, text in ((f"man/{name}.1", manual_page(program)),
                           (f"completions/{name}.bash", bash_completion(program)),
                           (f"completions/_{name}", zsh_completion(program))):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)


if __name__ == "__main__":
    main()
