"""Estimators of means that show a theorem: James and Stein."""

from infimum.study.estimation.james_stein import JamesSteinRegressor, james_stein

__all__ = [
    "JamesSteinRegressor",
    "james_stein",
]
