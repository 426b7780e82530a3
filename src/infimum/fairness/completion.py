"""Completing rates: the impossibility of fairness as arithmetic."""

from dataclasses import dataclass

from infimum.errors import DataError
from infimum.evaluation import PlainRecord
from infimum.parameters import check_domain, closed, opened

__all__ = ["CompletedRates", "complete_rates"]

_ROUNDING = 1e-9


@dataclass(frozen=True)
class CompletedRates(PlainRecord):
    """All rates of a group that three of them determine."""

    selection_rate: float
    base_rate: float
    true_positive_rate: float
    false_positive_rate: float
    positive_predictive_value: float
    false_omission_rate: float


def complete_rates(share: float, fpr: float, base: float) -> CompletedRates:
    r"""Return all rates from the share selected, the false positives and the base rate.

    .. math:: \text{share} = \text{TPR}\, b + \text{FPR}\,(1 - b), \qquad
        \text{PPV} = \frac{\text{TPR}\, b}{\text{share}}, \qquad
        \text{FOR} = \frac{(1 - \text{TPR})\, b}{1 - \text{share}}

    So groups with different base rates b that have equal predictive values must have
    different error rates, unless decisions are perfect or ignore the truth.

    Examples
    --------
    >>> from infimum.fairness import complete_rates
    >>> black = complete_rates(0.58, 0.42, 0.52)
    >>> white = complete_rates(0.33, 0.22, 0.39)
    >>> [round(each.positive_predictive_value, 2) for each in (black, white)]
    [0.65, 0.59]
    """
    check_domain("complete_rates's share", share, closed(0, 1))
    check_domain("complete_rates's fpr", fpr, closed(0, 1))
    check_domain("complete_rates's base", base, opened(0, 1))
    found = (share - fpr * (1 - base)) / base
    if not -_ROUNDING <= found <= 1 + _ROUNDING:
        raise DataError(
            f"No decisions select {share:g} of a group with base rate {base:g} and "
            f"false positive rate {fpr:g}: the true positive rate would be {found:.3g}."
        )
    found = min(max(found, 0.0), 1.0)
    nan = float("nan")
    return CompletedRates(
        selection_rate=share,
        base_rate=base,
        true_positive_rate=found,
        false_positive_rate=fpr,
        positive_predictive_value=found * base / share if share > 0 else nan,
        false_omission_rate=(1 - found) * base / (1 - share) if share < 1 else nan,
    )
