#!/usr/bin/env bash
# Run the tests on older versions of polars, each in its own environment. Each version has one
# engine as the default; together they cover both engines.
set -euo pipefail
cd "$(dirname "$0")/.."

while read -r version engine; do
    echo "polars $version, $engine"
    venv=.venv-polars-$version
    python3 -m venv "$venv"
    "$venv/bin/python" -m pip install --quiet --upgrade pip
    "$venv/bin/python" -m pip install --quiet --editable ".[test]" "polars==$version"
    POLARS_ENGINE_AFFINITY=$engine "$venv/bin/python" -m pytest --ignore=tests/peers --ignore=tests/engines --ignore=tests/browser -p no:cacheprovider
done <<VERSIONS
1.35.2 in-memory
1.44.2 streaming
2.0.0 in-memory
VERSIONS
