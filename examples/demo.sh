#!/bin/sh
# What corefkit does, on the bundled examples. `make demo` calls this from the root of the checkout.
# Everything it makes goes to out/.
set -eu

BIN=${BIN:-.venv/bin}
PATH=$(cd "$BIN" && pwd):$PATH
export PATH

cd "$(dirname "$0")"
mkdir -p ../out
step=$(mktemp -d)
trap 'rm -rf "$step"' EXIT

heading() {
    printf '\n── %s\n\n' "$1"
}

run() {
    printf '$ %s\n' "$*"
    "$@"
}

# The first lines that a command prints. A pipe would hide that it failed.
first() {
    lines=$1
    shift
    run "$@" > "$step/out" 2> "$step/err" || {
        cat "$step/err" >&2
        exit 1
    }
    sed -n "1,${lines}p" "$step/out"
}

printf 'All commands run in the folder examples/.\n'

heading '1. Score three systems (one of them lacks a document, and corefkit says so)'
run corefkit score key.conll careful.conll hasty.conll baseline.conll

heading '2. Is the difference more than luck?'
run corefkit compare key.conll careful.conll hasty.conll -m conll 2>/dev/null

heading '3. What went wrong, what does it cost, and where?'
first 15 corefkit errors key.conll hasty.conll
run corefkit report key.conll hasty.conll careful.conll -o ../out/report.html 2>/dev/null
printf 'Open out/report.html in a browser: the errors in their sentences, key and response side by side.\n'

heading '4. A whole shared task: three languages, two tracks, a ranking, a page to publish'
first 16 corefkit task run task/task.toml -o ../out/task --allow-broken
printf 'Open out/task/index.html in a browser: ranking, tables, plots, significance.\n'

heading '5. For programs: all digits, the counts behind them, and the signature in full'
run corefkit score key.conll careful.conll --by genre -f json -o ../out/scores.json
cat >../out/demo.py <<'PYTHON'
import corefkit
scores = corefkit.score("key.conll", "careful.conll", metrics="muc,conll")
print(scores.conll, scores["muc"].counts)
print(scores.signature.replace("|", " | "))
PYTHON
sed 's/^/    /' ../out/demo.py
run python ../out/demo.py > "$step/out"
fold -s -w 100 "$step/out"

heading 'Read on'
cat <<'TEXT'
README.md              a tour on one page
docs/get-started.md    the first steps, with your own files
docs/metrics.md        what the numbers mean, and when they mislead
docs/README.md         all pages: strata, audits, runs, annotators, shared tasks, corpora, …
examples/README.md     the texts scored here, and what each system gets wrong
TEXT
