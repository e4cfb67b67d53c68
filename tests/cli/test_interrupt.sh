# A signal ends a proof at once and leaves nothing behind; an existing file stays as it was.
. "$(dirname "$0")/lib.sh"

echo old >p
steps=131072
[ -z "$SANITIZE" ] || steps=16384
for signal in INT:130 TERM:143 HUP:129 KILL:137; do
    timeout --preserve-status -s "${signal%:*}" 0.3 \
        "$flock_chain" prove --hash blake3 --steps $steps --threads 1 --out p \
        >capture/out 2>capture/err
    code=$?
    last_command="prove, then SIG${signal%:*}"
    # timeout(1) itself dies of a KILL that it sends with --preserve-status.
    equal $code "${signal#*:}"
    out_is_empty
    [ ! -s capture/err ] || complain "text on stderr"
    files_are p
    equal "$(cat p)" old
done

# A signal that was ignored from the start stays ignored (nohup).
(
    trap '' HUP
    "$flock_chain" prove --hash blake3 --steps $((steps / 4)) --threads 1 --out q \
        >capture/out 2>capture/err &
    pid=$!
    sleep 0.2
    kill -HUP $pid || echo "ended too early"
    wait $pid
)
equal $? 0 "ignored signal"
files_are p q
finish
