"""Wrong options of each command, a line each; those that follow a beginning share it."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Final

import polars as pl

from tests.cli.loans import LOANS

ROWS: Final = LOANS.with_columns(
    other=pl.Series([0.1, 0.9, 0.2, 0.8, 0.7, 0.6, 0.55, 0.3, 0.5]),
    missing=pl.Series([None, *[True] * 8]),
    negative=pl.Series([-1, *[1] * 8]),
    half=pl.Series([0.5, *[1.0] * 8]),
    infinite=pl.Series([float("inf"), *[0.4] * 8]),
    nan=pl.Series([float("nan"), *[0.4] * 8]),
    null=pl.Series([None, *[0.4] * 8]),
    k=1,
).with_columns(pl.lit("yes").alias("label="))

FILES: Final[dict[str, str | bytes | pl.DataFrame]] = {
    "loans.parquet": ROWS,
    **dict.fromkeys(
        ("broken.parquet", "broken.arrow", "broken.ndjson", "loans.csv", "loans.xlsx"),
        "nothing of the kind",
    ),
    "empty.csv": "",
    "cut.csv.gz": gzip.compress(LOANS.write_csv().encode())[:-12],
    "latin.md": "für alle".encode("latin-1"),
    "named.csv": "name,reported\ndi,0.5\n",
    "unknown.csv": "metric,reported\ndii,0.5\n",
    "half.csv": "metric,reported\ndi,half\n",
    "lacking.csv": "metric,reported\ndi,\n",
    "twice.csv": "metric,reported\ndi,0.5\ndi,0.6\n",
    "confidence.toml": 'name = "Loans"\nconfidence = 2',
    "favorable.toml": 'name = "Loans"\nfavorable = "no"\n',
    "good.toml": 'name = "Loans"\nfavorable = true\nrule = "point"\n[gate]\nfail_on = "unfair"\n',
    "wage.toml": "name = 'x'\n[question]\nweight = 'wages'\n",
    "threshold.toml": "name = 'x'\n[question]\nthreshold = 'abc'\n",
    "long.toml": f"name = 'x'\n[bands]\ndi = [0.1, {'9' * 400}]\n",
    "fail.toml": "name = 'x'\n[gate]\nfail_on = 3\n",
    "size.toml": "name = 'x'\nmetrics = ['cddpl']\n[gate]\nfail_on = 'unfair'\n",
}

_LOANS: Final = "loans.parquet"
_APPROVED: Final = f"{_LOANS} --facet sex --predicted approved"
_SEX: Final = f"audit {_APPROVED} --disfavored F"
_MODELS: Final = (
    f"audit {_LOANS} --facet sex --metric dppl --predicted now=approved --predicted next=k"
)
_SCORED: Final = f"{_LOANS} --facet sex --score score"
_CHOOSE: Final = f"choose {_SCORED} --label repaid --positive yes"
_HIRING: Final = f"hiring {_LOANS} --sex sex --race race"
_LENDING: Final = f"lending {_LOANS} --facet race --favored W"

WRONG: Final[dict[str, str]] = {
    "": """
        adit
        audit
        audit nope.parquet
        audit nope*.parquet
        audit empty
        audit loans.xlsx
        audit loans.parquet loans.csv
        audit broken.parquet
        audit broken.arrow
        audit broken.ndjson
        audit empty.csv
        audit cut.csv.gz
        audit threshold=1 --facet sex
        metrics cddlp
        schema cells
        rates loans.parquet
        cells loans.parquet
    """,
    f"audit {_LOANS}": """
        --fact sex
        --fact positive=1
        --facet sex --metric di rd
        --sensitive-features sex
        --weights=w
        --format xml
        --threshold 0.5,x
        --resolution x
        --replicates x
        --confidence x
        --facet sx --predicted approved
        --facet sex --label repaid --metric dpl
        --facet sex --predicted score --metric di
        --facet sex --predicted k --policy threshold.toml
        --facet sex --predicted missing
        --facet age --disfavored x --predicted approved
        --disfavored F --predicted approved
        --facet sex --facet race --favored M --predicted approved
        --facet race --facet sex --disfavored race=F --predicted approved
        --facet sex --facet sex --predicted approved
        --facet sex --label approved --predicted approved
        --facet label= --label repaid --facet sex --favored yes
        --predicted approved --reference highest
        --predicted approved --facet sex --facet race --reference highest
        --facet sex --predicted score --threshold 0.5 --resolution 0
        --facet sex --threshold 0.5 --label repaid --positive yes
        --facet sex --threshold 0.5,0.6 --label repaid --positive yes
        --facet sex --predicted null --threshold every
        --predicted approved --probabilities race
        --predicted approved --probabilities race:B
        --predicted approved --probabilities :B=p
        --predicted approved --probabilities race:B=,W=p
        --predicted approved --probabilities race:B=p,B=q
        --predicted approved --probabilities race:B=p_b
    """,
    _SEX: """
        --confidence 2
        --method guess
        --metric di,,rd
        --metric dpl
        --metric dpll
        --disfavored X
        --disfavored f
        --favored F
        --favored highest
        --favored M --reference highest
        --reference highest --reference largest
        --reference most
        --positive maybe
        --positive approved=true --positive false
        --threshold 1
        --threshold 0.5,0.6
        --resolution 0.1
        --weight negative
        --count half
        --zero-division nan
        --replicates 99999999999
        --allow-undefined
        --format junit
        --harm above
        --rule x
        --rule points
        --rule di=points
        --rule point --rule di=point
        --rule =point
        --policy none.toml
        --policy confidence.toml
        --policy favorable.toml
        --policy good.toml --unfavorable
        --policy good.toml --fail-on uncertain
        --policy good.toml --rule interval
        --policy good.toml --allow-undefined
        --policy wage.toml
        --policy long.toml
        --policy fail.toml
        --policy size.toml --subgroup age
        --metric di --band di
        --metric di --band di=0.8
        --metric di --band di=a:b
        --metric di --band =0:1
        --metric di --band di=1:0
        --metric di --band di=nan:1
        --metric di --band dii=0:1
        --metric di --band di=0:1 --band di=0:2
        --metric di --where 'year = = 3'
        --metric di --where 'aeg = 3'
        --metric di --where age
        --metric di --where "since > 'x'"
        --metric ci --where 'age > 9' --fail-on unfair
        --metric ddpl,ci --fail-on unfair
        --metric di --where "sex = 'F'" --fail-on unfair
        --metric dppl --where "sex = 'F'" --fail-on unfair --allow-undefined
        --metric dppl --fail-on worse
        --metric dppl --fail-on worse,bad
        --champion approved
        --baseline first
        --baseline release.parquet
        --baseline 2026-01
        --drift clarify
        --by since --baseline x
        --by since --baseline 2026-03-01
        --by since --baseline first --baseline-count n
        --metric dppl --by since --where 'age = 2' --baseline previous --fail-on worse
        --title T
        --json a.json --title ' '
        --json a.json --model-version ''
        --json a.json --notes no.md
        --json a.json --notes latin.md
        --json a.json --detail all
        --json loans.parquet
        --html nowhere/page.html
        --text cod
    """,
    _MODELS: """
        --fail-on worse
        --champion nxt
        --champion now --by since --baseline first
        --champion now --confidence none --fail-on worse
        --champion now --confidence none --fail-on worse --allow-undefined
    """,
    f"audit {_LOANS} --facet sex": """
        --predicted a=approved --predicted b
        --predicted a=approved --predicted a=other
        --predicted a=aproved
        --predicted aproved=b
        --predicted a=score --threshold b=0.5
        --predicted a=score --threshold a=0.5 --threshold 0.6
        --predicted a=score --threshold a=0.5 --threshold a=0.6
        --predicted a=score --predicted b=other --threshold a=0.5
        --predicted a=approved --predicted b=score --threshold 0.5
        --predicted score --threshold a=0.5
        --predicted a=score --threshold a=x
    """,
    f"audit {_LOANS} --facet sex --score": """
        score --threshold 0.5,every
        score --threshold nan
        score --threshold 0.5,inf
        score --threshold 0.25 --resolution 0.1
        score --threshold 0.5,0.55 --resolution 0.1
        score --threshold every --resolution 1e-9
        score --metric di
        race --threshold 0.5
        race --threshold every
        infinite --threshold every
        nan --threshold 0.3,0.5
    """,
    f"cells {_LOANS} --facet sex --output": """
        cells.xlsx
        no/cells.csv
    """,
    f"rates {_APPROVED}": """
        --disfavored F
    """,
    f"worst-groups {_APPROVED} --facet race": """
        --top 1
        --metric di
        --metric spsf --harm left
        --metric spsf --top 0
        --metric spsf --depth 0
        --metric spsf --minimum-count -1
    """,
    f"decompose {_APPROVED} --disfavored F --subgroup branch": """
        --metric di
    """,
    f"switches {_LOANS} --predicted now=approved --predicted next=k": """
        --facet sex
    """,
    f"compare {_APPROVED} --disfavored F --reported": """
        0.5
        named.csv
        lacking.csv
        twice.csv
        unknown.csv
        half.csv
    """,
    f"choose {_LOANS} --label repaid --positive yes": """
        --facet sex
        --predicted approved
    """,
    _CHOOSE: """
        --utility tp
        --utility tp=1,tp=2
        --utility tp=inf
        --utility tp=1,fb=-5
        --utility 0.5
        --utility tp=1 --maximise tpr
        --maximise di
        --maximise tprr
        --metric dpl
        --metric accuracy
        --resolution 0
        --score race
        --score scor
        --score infinite
        --score nan
        --output choices.xyz
    """,
    f"explore {_SCORED}": """
        --label repaid
    """,
    f"explore {_SCORED} --output page.html": """
        --threshold 0.5
        --threshold 5,6
        --utility tp
        --metric dii
        --score race
        --resolution 0
        --output nowhere/page.html
        --output loans.parquet
    """,
    f"hiring {_LOANS} --sex sex": """
        --selected approved
    """,
    _HIRING: """
        --title T
        --selected approved --score score
        --selected approved --weight score
        --score score --fail-on flagged
        --score score --table adverse_impact
    """,
    f"{_HIRING} --selected approved": """
        --exclude-below 0.1 --justification few
        --exclude-below 0.01
        --exclude-below few
        --allow-undefined
        --audit-date 2026-01-31
        --json a.json --data All --distribution-date 2025-06-30
        --json a.json --data All --audit-date 2026-01-31 --distribution-date June
        --json loans.parquet
        --output table.txt
    """,
    _LENDING: """
        --table quantiles
        --predicted score
    """,
    f"lending {_LOANS} --facet race": """
        --predicted approved
    """,
    f"{_LENDING} --predicted approved": """
        --shares 0.1
        --shares 0.1,x
        --score score --shares 10
        --minimum-ratio 80
        --deviation sample
        --label approved
        --fail-on unfair
        --format junit
        --title Loans
        --json a.json --title ' '
        --json loans.parquet
        --table segments
    """,
}


def lines() -> list[str]:
    return [
        f"{beginning} {line.strip()}".strip()
        for beginning, lines in WRONG.items()
        for line in lines.strip().splitlines()
    ]


def write_files() -> None:
    Path("empty").mkdir()
    for name, content in FILES.items():
        if isinstance(content, pl.DataFrame):
            content.write_parquet(name)
        else:
            Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
