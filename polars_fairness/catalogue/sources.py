"""The sources that define metrics, by the names shown to readers."""

from typing import Final

CLARIFY: Final = "Amazon SageMaker Clarify"
HOLISTICAI: Final = "HolisticAI"
AIF360: Final = "AIF360"
FAIRLEARN: Final = "Fairlearn"
MANTEL_HAENSZEL: Final = "Mantel and Haenszel 1959"
BORKAN: Final = "Borkan et al. 2019"

OPPOSITE_SIGNS: Final = {
    "equal_opportunity_difference": AIF360,
    "average_odds_difference": AIF360,
    "statistical_parity": HOLISTICAI,
}
"""The names that mean the same number with the opposite sign in another tool."""
