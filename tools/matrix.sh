#!/usr/bin/env bash
# Run the tests on older versions of polars, with a few of the invented examples and without
# simulations, whose numbers depend on numpy. Each version has one engine as the default; together
# they cover both engines. `make matrix` makes the environment.
set -euo pipefail
cd "$(dirname "$0")/.."

bin=.venv-matrix/bin
# These read documents, code and pages, whatever the version of polars.
of_words=(
    --ignore=tests/docs/test_{metric_pages,navigation,pictures,prose,reference}.py
    --ignore=tests/test_{benchmarks,hostile_text,house,words}.py
)
# Three fifths of the time, and what they use of polars is also tested on the oldest version and on
# the newest.
numbers_only=(
    --ignore=tests/{cli,contrasts,cutoffs,docs,hiring,lending,models,policy,reporting}
)

while read -r version engine; do
    echo "polars $version, $engine"
    "$bin/uv" pip install --quiet --python "$bin/python" "polars==$version"
    [[ $version == 1.35.* ]] && left_out=() || left_out=("${numbers_only[@]}")
    POLARS_ENGINE_AFFINITY=$engine "$bin/python" -m pytest \
        --numprocesses=auto --maxprocesses=4 --hypothesis-profile=few -m "not simulation" \
        --ignore=tests/{peers,engines,browser,notebooks,editors} "${of_words[@]}" "${left_out[@]}" \
        -p no:cacheprovider
done <<VERSIONS
1.35.2 in-memory
1.44.2 streaming
VERSIONS
