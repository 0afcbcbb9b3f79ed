"""Worked numbers of the metrics across all groups."""

from __future__ import annotations

from typing import Final

from .family import Family, Worked

FAMILY: Final = Family(
    page="groups",
    introduction="""\
How far apart the groups of a facet are, however many there are. There are no sides, so no
metric here shows which group is worse off: `rates` and `worst_groups` do. The largest of many
differences is large by chance alone, more so the smaller the groups; `spread` allows for this.
A group without a rate is left out, and a gap of one group is
[null](../../explanation/undefined-values.md#which-values-are-undefined).
With `groups=` each metric ranges over [groups of several
attributes](../../how-to/small-groups.md#groups-of-several-attributes).""",
    columns={
        "region": ["north"] * 4 + ["south"] * 4 + ["east"] * 4,
        "repaid": [1, 1, 0, 0] * 3,
        "approved": [1, 0, 1, 0] * 3,
        "n": [6, 2, 2, 10, 2, 3, 3, 2, 4, 1, 2, 3],
    },
    question={"facet": "region", "label": "repaid", "predicted": "approved", "count": "n"},
    worked={
        "selection_rate_gap": Worked(
            "Use it where all groups should be accepted equally often, and none is the norm. It "
            "sees only the two extreme groups.",
            "6/10 - 8/20",
        ),
        "tpr_gap": Worked(
            "Use it where the qualified of all groups should have equal chances.",
            "4/5 - 2/5",
        ),
        "fpr_gap": Worked(
            "Use it where a wrong acceptance is the harm, or the advantage.",
            "3/5 - 2/12",
        ),
        "tnr_gap": Worked(
            "Use it like `fpr_gap`, which it equals.",
            "10/12 - 2/5",
        ),
        "fnr_gap": Worked(
            "Use it like `tpr_gap`, which it equals.",
            "3/5 - 1/5",
        ),
        "ppv_gap": Worked(
            "Use it where an acceptance should mean the same in all groups.",
            "6/8 - 2/5",
        ),
        "npv_gap": Worked(
            "Use it where a rejection should mean the same in all groups.",
            "10/12 - 2/5",
        ),
        "accuracy_gap": Worked(
            "Use it where both errors cost the same.",
            "16/20 - 4/10",
        ),
        "selection_rate_ratio": Worked(
            "Use it where a rule is about a ratio, or few are accepted: 1 % beside 2 % is a gap "
            "of 0.01 and a ratio of one half.",
            "(8/20) / (6/10)",
        ),
        "tpr_ratio": Worked(
            "Use it like `tpr_gap`, where the rates are small.",
            "(2/5) / (4/5)",
        ),
        "fpr_ratio": Worked(
            "Use it like `fpr_gap`, where wrong acceptances are rare. A group without any makes "
            "it 0.",
            "(2/12) / (3/5)",
        ),
        "tnr_ratio": Worked(
            "Use it like `tnr_gap`. Where nearly all unqualified rows are rejected it is near 1, "
            "though `fpr_ratio` may be far from it.",
            "(2/5) / (10/12)",
        ),
        "fnr_ratio": Worked(
            "Use it like `fnr_gap`, where wrong rejections are rare. A group without any makes it "
            "0.",
            "(1/5) / (3/5)",
        ),
        "ppv_ratio": Worked(
            "Use it like `ppv_gap`, where few acceptances are right.",
            "(2/5) / (6/8)",
        ),
        "npv_ratio": Worked(
            "Use it like `npv_gap`, where few rejections are right.",
            "(2/5) / (10/12)",
        ),
        "accuracy_ratio": Worked(
            "Use it like `accuracy_gap`. Where all groups have few errors it is near 1, though "
            "one may have many times the errors of another.",
            "(4/10) / (16/20)",
        ),
        "equalized_odds_gap": Worked(
            "Use it where both the qualified and the unqualified should be accepted equally often "
            "in all groups.",
            "max(4/5 - 2/5, 3/5 - 2/12)",
        ),
        "equalized_odds_ratio": Worked(
            "Use it like `equalized_odds_gap`, where rates are small.",
            "min((2/5) / (4/5), (2/12) / (3/5))",
        ),
        "fpsf": Worked(
            "Use it for the worst group where wrong acceptances harm. Each group is weighted by "
            "its number of unqualified rows, so small groups hardly count. `worst_groups` says "
            "which group it is.",
            "max(12/40 * abs(7/22 - 2/12), 5/40 * abs(7/22 - 3/5), 5/40 * abs(7/22 - 2/5))",
        ),
        "fnsf": Worked(
            "Use it like `fpsf`, where wrong rejections harm.",
            "max(8/40 * abs(6/18 - 2/8), 5/40 * abs(6/18 - 3/5), 5/40 * abs(6/18 - 1/5))",
        ),
        "spsf": Worked(
            "Use it like `fpsf`, for how often groups are accepted.",
            "max(20/40 * abs(19/40 - 8/20), 10/40 * abs(19/40 - 5/10), 10/40 * abs(19/40 - 6/10))",
        ),
        "differential_fairness": Worked(
            "Use it for a bound on what a decision reveals about the group, over acceptances and "
            "rejections. Half a row each is added to the accepted and the rejected of a group, so "
            "small groups look more alike.",
            "max(log(6.5/11) - log(8.5/21), log(12.5/21) - log(4.5/11))",
        ),
        "spread": Worked(
            "Use it with many or small groups, where a gap is large by chance alone.",
            "((8/20 - 1/2)**2 + (5/10 - 1/2)**2 + (6/10 - 1/2)**2) / 2 - "
            "(8/20 * 12/20 / 19 + 5/10 * 5/10 / 9 + 6/10 * 4/10 / 9) / 3",
            "$S^2$ is the variance of the rates $r_g$ of the $k$ groups of two rows or more, and "
            "$\\bar{r}$ their mean. $n_g$ counts the rows that the rate is a share of.",
        ),
        "cdd_shares": Worked(
            "Use it to compare with AIF360's `conditional_demographic_disparity`, and with the "
            "formula that Clarify prints. Above 0, large groups have a larger share of the "
            "rejections than of the acceptances. `cddpl` compares d with a within strata.",
            "20/40 * (12/21 - 8/19) + 10/40 * (5/21 - 5/19) + 10/40 * (4/21 - 6/19)",
        ),
    },
)
