"""How sure a number is: intervals of averages, areas and shares, also by weight."""

from infimum.evaluation.uncertainty.areas import area_influence, area_interval
from infimum.evaluation.uncertainty.averaged import average_interval
from infimum.evaluation.uncertainty.mean_intervals import mean_interval, ratio_interval
from infimum.evaluation.uncertainty.weighing import (
    effective_rows,
    share_among,
    weighted_limit,
    weighted_quantiles,
    weighted_share,
)

__all__ = [
    "area_influence",
    "area_interval",
    "average_interval",
    "effective_rows",
    "mean_interval",
    "ratio_interval",
    "share_among",
    "weighted_limit",
    "weighted_quantiles",
    "weighted_share",
]
