# bash completion for flock_merkle; written by scripts/manual.py from its help texts.
_flock_merkle() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local words= files=
    # --flag=value is three words: --flag = value
    if [ "$current" = = ]; then
        current=
    elif [ "$previous" = = ]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $previous in
    --backend | --depth | --expect-depth | --expect-leaf | --expect-root | --index | --threads) : ;;
    --in | --leaves | --lines | --out | --tree) files=yes ;;
    --expect-mode | --mode) words="fast slim secure" ;;
    --layout) words="row batch" ;;
    *)
        case $COMP_CWORD:${COMP_WORDS[1]} in
        1:*) words="tree prove verify info help --help --version" ;;
        *:tree) words="--leaves --lines --out --depth --backend --quiet --json --help" ;;
        *:prove) words="--tree --index --out --mode --layout --threads --backend --quiet --json --help" ;;
        *:verify) words="--in --expect-root --expect-depth --expect-leaf --expect-mode --backend --quiet --json --help" ;;
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
complete -F _flock_merkle flock_merkle
