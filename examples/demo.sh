#!/bin/sh
# What corefkit does, on the bundled examples. `make demo` calls this from the root of the checkout.
# Everything it makes goes to out/.
set -eu

BIN=${BIN:-.venv/bin}
PATH=$(cd "$BIN" && pwd):$PATH
export PATH

cd "$(dirname "$0")/.."
mkdir -p out

heading() {
    printf '\n── %s\n\n' "$1"
}

run() {
    printf '$ %s\n' "$*"
    "$@"
}

key=examples/key.conll
careful=examples/careful.conll

heading '1. Three systems in one table (one of them lacks a document: corefkit says so)'
run corefkit score $key $careful examples/hasty.conll examples/baseline.conll

heading '2. One system, genre by genre'
run corefkit score $key $careful --by genre -m muc,bcub,ceafe,conll

heading '3. The same without singletons: note the signature'
run corefkit score $key $careful --singletons drop

heading '4. For programs: all digits, and the counts behind them'
run corefkit score $key $careful examples/hasty.conll --by genre -f json -o out/scores.json 2>out/warnings.txt
printf 'The scores are in out/scores.json, the warning in out/warnings.txt.\n'

heading '5. From Python'
cat >out/demo.py <<'PYTHON'
import corefkit
scores = corefkit.score("examples/key.conll", "examples/careful.conll")
print("CoNLL", scores.conll, "MUC", scores["muc"].counts)
PYTHON
sed 's/^/    /' out/demo.py
printf '\n'
run python out/demo.py

heading '6. What applications want to know: pronouns, nouns and names apart'
run corefkit score $key $careful examples/baseline.conll -m inferred --by class

heading '7. What is in the corpus'
run corefkit stats $key -o out/stats.txt
sed -n '1,14p' out/stats.txt
printf '… all of it is in out/stats.txt.\n'

heading '8. A whole shared task: three languages, two tracks, a ranking, a page to look at'
run corefkit task run examples/task/task.toml -o out/task --allow-broken
printf '\nOpen out/task/index.html in a browser: ranking, tables, plots, significance.\n'

heading '9. What went wrong, what it cost, and where'
run corefkit errors $key examples/hasty.conll 2>/dev/null | sed -n '1,15p'
run corefkit report $key examples/hasty.conll $careful -o out/report.html 2>/dev/null

heading 'Read on'
cat <<'TEXT'
README.md              a tour on one page
docs/metrics.md        what the numbers mean, and when they mislead
docs/command-line.md   all commands and options; or: .venv/bin/corefkit --help
docs/python.md         notebooks, training loops, several processes
docs/README.md         all pages: applications, shared tasks, corpora, incidents, …
examples/README.md     the texts scored here, and what each system gets wrong
TEXT
printf '\nOpen out/report.html in a browser: the errors in their sentences, key and response side by side.\n'
