# Manual pages and shell completions agree with the programs and the headers.
. "$(dirname "$0")/lib.sh"

# --- what is kept in the repository is what the programs say
last_command="scripts/manual.py (make manual writes the files again)"
python3 "$SOURCE/scripts/manual.py" "$BUILD" "$work/fresh" || complain "no pages"
for file in man/flock_{chain,batch,digest,merkle}.1 completions/{,_}flock_{chain,batch,digest,merkle}; do
    [ -f "fresh/$file" ] || file=$file.bash
    diff "$SOURCE/$file" "fresh/$file" || complain "$file is out of date"
done

# --- the pages are well-formed, and show the flags of the program and no others
flags_in() {
    grep -oE -- '--[a-z][a-z-]*' "$1" | sort -u
}
for page in "$SOURCE"/man/*; do
    last_command="mandoc -Tlint $page"
    mandoc -Tlint "$page" 2>&1 | grep -vE 'referenced manual not found|outdated mandoc.db' >lint
    [ ! -s lint ] || complain "$(head -n 3 lint)"
done
for name in flock_chain flock_batch flock_digest flock_merkle; do
    last_command="man $name"
    commands=$("$BUILD/$name" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
    [ "$(echo "$commands" | wc -l)" -ge 3 ] || complain "few commands"
    for command in $commands; do
        "$BUILD/$name" "$command" --help
    done >help.txt
    mandoc -Tascii "$SOURCE/man/$name.1" | sed 's/.\x08//g' >page.txt
    for command in $commands; do
        grep -q "^   $command\$" page.txt || complain "$command is not in the page"
    done
    flags_in help.txt >help.flags
    [ "$(wc -l <help.flags)" -ge 8 ] || complain "few flags"
    flags_in page.txt | grep -vxE -- '--version|--name' >page.flags
    diff help.flags page.flags || complain "the page of $name has other flags"
done

# --- every function of the headers is in libflock(3), and nothing else
sed -n 's/^FLOCK_API .*[ *]\(flock_[a-z0-9_]*\)(.*/\1/p' "$SOURCE/include"/flock/*.h | sort -u >functions
grep -oE 'Fn flock_[a-z_]+' "$SOURCE/man/libflock.3" | cut -d ' ' -f 2 | sort -u >documented
last_command="libflock.3"
diff functions documented || complain "libflock.3 has other functions than the headers"

# --- bash: what is offered for a command are its flags, and words that the program accepts
# complete NAME WORD...: what the shell offers for the last word.
complete_bash() {
    bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); "_$1"
             printf "%s\n" "${COMPREPLY[@]}"' bash "$SOURCE/completions/$1.bash" "$@"
}
# zsh: the same with stubs of the functions that show things.
complete_zsh() {
    zsh -fc '_arguments() { print -rl -- "$@" }
             _describe() { print -rl -- "${(@P)2}" }
             file=$1; shift; words=("$@"); CURRENT=$#; . $file' zsh "$SOURCE/completions/_$1" "$@"
}
for name in flock_chain flock_batch flock_digest flock_merkle; do
    last_command="completion of $name"
    commands=$("$BUILD/$name" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
    equal "$(complete_bash $name '' | grep -vxE -- 'help|--help|--version')" "$commands" bash
    equal "$(complete_zsh $name '' | cut -d : -f 1)" "$commands" zsh
    for command in $commands; do
        "$BUILD/$name" "$command" --help | sed -n 's/^  \(--[a-z-]*\)\( .*\)\{0,1\}$/\1/p' | sort -u >help.flags
        complete_bash $name "$command" '' | sort -u | diff help.flags - || complain "bash: $command"
        complete_zsh $name "$command" '' | sed 's/^\**\(--[a-z-]*\)\[.*/\1/' | sort -u |
            diff help.flags - || complain "zsh: $command"
    done
done
equal "$(complete_bash flock_chain verify --expect-h)" --expect-hash
equal "$(complete_bash flock_chain prove --hash = s)" sha256
equal "$(complete_bash flock_merkle verify --in fre)" fresh

# Words for a value are among those that the program names in its error.
for try in "flock_chain prove --hash" "flock_batch prove --hash" "flock_chain prove --mode" \
    "flock_chain prove --layout" "flock_chain prove --format" "flock_batch verify --expect-hash"; do
    set -- $try
    required="--out f --hash blake3"
    [ "$2" = verify ] && required="--in f"
    [ "$3" = --hash ] && required="--out f"
    run 1 "$BUILD/$1" "$2" $required "$3" x
    complete_bash "$1" "$2" "$3" '' >offered
    [ "$(wc -l <offered)" -ge 2 ] || complain "nothing offered for $try"
    while read -r word; do
        err_has "one of .*$word[,)]"
    done <offered
done
finish
