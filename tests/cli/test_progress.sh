# Progress: a line on a terminal, gone at the end; nothing in a pipe, nothing with --quiet.
. "$(dirname "$0")/lib.sh"

steps=1024
command -v script >/dev/null || { echo "script(1) is missing"; exit 1; }

# Only stderr is the terminal.
on_terminal() {
    script -qec "$flock_chain prove --hash blake3 --steps $steps --out p $* >result" /dev/null \
        </dev/null >terminal
    equal $? 0 "on a terminal"
}

on_terminal
last_command="prove on a terminal"
grep -q 'proving: phase [1-6] of 6, [a-z]* *[0-9]* %  [0-9.]* s' terminal || complain "no progress"
! grep -q 'proving' result || complain "progress in the result"
# The line is drawn over itself and wiped: no line feeds, and the last thing is the wiping.
equal "$(tr -cd '\n' <terminal | wc -c)" 0 "line feeds"
equal "$(tail -c 4 terminal | od -An -tx1 | tr -d ' \n')" 0d1b5b4b "end of the progress"
# At most ten times a second, with one draw for free and one for a slow clock.
draws=$(grep -o 'proving:' terminal | wc -l)
seconds=$(sed -n 's/^time *\([0-9.]*\) s$/\1/p' result)
awk -v d="$draws" -v s="$seconds" 'BEGIN { exit !(d <= 10 * s + 2) }' ||
    complain "$draws draws in $seconds s"

on_terminal --quiet
[ ! -s terminal ] || complain "progress with --quiet"
[ ! -s result ] || complain "result with --quiet"
on_terminal --json
"$JSON_GET" result || complain "not JSON"

# A small proof is drawn at most once and leaves a clean line.
steps=1
on_terminal
equal "$(tr -cd '\n' <terminal | wc -c)" 0 "line feeds"

# Interrupted: the line is wiped as well.
script -qec "timeout --preserve-status -s INT 0.5 $flock_chain prove --hash blake3 --steps 131072 \
    --threads 1 --out q" /dev/null </dev/null >terminal
equal $? 130 "interrupted on a terminal"
grep -q 'proving' terminal || complain "no progress"
equal "$(tail -c 4 terminal | od -An -tx1 | tr -d ' \n')" 0d1b5b4b "end of the interrupted progress"

# In a pipe: nothing on stderr (run checks that).
run 0 "$flock_chain" prove --hash blake3 --steps 2048 --out p
finish
