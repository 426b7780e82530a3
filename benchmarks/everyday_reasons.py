"""Why a class takes longer than scikit-learn's, where it does: for the page."""

__all__ = ["REASONS"]

_PROVED = (
    "the answer is proved: a dual point, its value and the rounding of both take as "
    "many microseconds as so small a fit."
)
REASONS: dict[str, str] = {}
