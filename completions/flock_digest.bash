# bash completion for flock_digest; written by scripts/manual.py from its help texts.
_flock_digest() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local words= files=
    # --flag=value is three words: --flag = value
    if [ "$current" = = ]; then
        current=
    elif [ "$previous" = = ]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $previous in
    --backend | --expect-digest | --expect-length | --threads) : ;;
    --file | --in | --out) files=yes ;;
    --expect-mode | --mode) words="fast slim secure" ;;
    --layout) words="row batch" ;;
    *)
        case $COMP_CWORD:${COMP_WORDS[1]} in
        1:*) words="prove verify info help --help --version" ;;
        *:prove) words="--file --out --mode --layout --threads --backend --quiet --json --help" ;;
        *:verify) words="--in --expect-digest --expect-length --expect-mode --backend --quiet --json --help" ;;
        *:info) words="--in --json --help" ;;
        esac
        ;;
    esac
    if [ -n "$files" ]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    else
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    fi
}
complete -F _flock_digest flock_digest
