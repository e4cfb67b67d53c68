# bash completion for flock_batch; written by scripts/manual.py from its help texts.
_flock_batch() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local words= files=
    # --flag=value is three words: --flag = value
    if [ "$current" = = ]; then
        current=
    elif [ "$previous" = = ]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $previous in
    --backend | --count | --expect-count | --seed | --threads) : ;;
    --in | --inputs | --out) files=yes ;;
    --expect-hash | --hash) words="blake3 sha256 keccak keccak3" ;;
    --expect-mode | --mode) words="fast slim secure" ;;
    --format) words="native reference" ;;
    --layout) words="row batch" ;;
    *)
        case $COMP_CWORD:${COMP_WORDS[1]} in
        1:*) words="prove verify info help --help --version" ;;
        *:prove) words="--hash --out --count --inputs --seed --mode --layout --format --threads --backend --quiet --json --help" ;;
        *:verify) words="--in --expect-hash --expect-count --expect-mode --format --hash --count --layout --mode --backend --quiet --json --help" ;;
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
complete -F _flock_batch flock_batch
