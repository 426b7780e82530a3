"""The part of ``sklearn.linear_model`` that Infimum offers, under the same names."""

from infimum.models.linear import (
    ElasticNet,
    GammaRegressor,
    HuberRegressor,
    Lasso,
    LinearRegression,
    LogisticRegression,
    MultiTaskElasticNet,
    MultiTaskLasso,
    PoissonRegressor,
    QuantileRegressor,
    Ridge,
    RidgeClassifier,
)

__all__ = [
    "ElasticNet",
    "GammaRegressor",
    "HuberRegressor",
    "Lasso",
    "LinearRegression",
    "LogisticRegression",
    "MultiTaskElasticNet",
    "MultiTaskLasso",
    "PoissonRegressor",
    "QuantileRegressor",
    "Ridge",
    "RidgeClassifier",
]
