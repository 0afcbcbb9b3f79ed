"""The sources that define metrics, by the names shown to readers."""

from typing import Final

CLARIFY: Final = "Amazon SageMaker Clarify"
HOLISTICAI: Final = "HolisticAI"
AIF360: Final = "AIF360"
FAIRLEARN: Final = "Fairlearn"
MANTEL_HAENSZEL: Final = "Mantel and Haenszel 1959"
COCHRAN: Final = "Cochran 1954"
BRESLOW_DAY: Final = "Breslow and Day 1980"
WOOLF: Final = "Woolf 1955"
MORRIS: Final = "Morris 2001"
ZEMEL: Final = "Zemel et al. 2013, AIF360"
BORKAN: Final = "Borkan et al. 2019"
BRIER: Final = "Brier 1950"
ECCE: Final = "Arrieta-Ibarra et al. 2022"

OPPOSITE_SIGNS: Final = {
    "equal_opportunity_difference": AIF360,
    "average_odds_difference": AIF360,
    "statistical_parity": HOLISTICAI,
}
"""The names that mean the same number with the opposite sign in another tool."""
