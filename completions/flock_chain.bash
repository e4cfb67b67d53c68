# bash completion for flock_chain; written by scripts/manual.py from its help texts.
_flock_chain() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local words= files=
    # --flag=value is three words: --flag = value
    if [ "$current" = = ]; then
        current=
    elif [ "$previous" = = ]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $previous in
    --backend | --expect-final | --expect-initial | --expect-steps | --initial-cv | --initial-state | --m | --seed | --steps | --threads) : ;;
    --in | --messages | --out) files=yes ;;
    --expect-hash | --hash) words="blake3 sha256 keccak" ;;
    --expect-mode | --mode) words="fast slim secure" ;;
    --format) words="native reference" ;;
    --layout) words="row batch" ;;
    *)
        case $COMP_CWORD:${COMP_WORDS[1]} in
        1:*) words="prove verify info params help --help --version" ;;
        *:prove) words="--hash --out --steps --seed --messages --initial-cv --initial-state --mode --layout --format --threads --backend --quiet --json --help" ;;
        *:verify) words="--in --expect-hash --expect-steps --expect-initial --expect-final --expect-mode --accept-unbound --backend --quiet --json --help" ;;
        *:info) words="--in --json --help" ;;
        *:params) words="--m --mode --format --toml --json --help" ;;
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
complete -F _flock_chain flock_chain
