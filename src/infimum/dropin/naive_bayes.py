"""The part of ``sklearn.naive_bayes`` that Infimum offers, under the same names."""

from infimum.dropin._others import theirs
from infimum.models.probabilistic import (
    BernoulliNB,
    CategoricalNB,
    ComplementNB,
    GaussianNB,
    MultinomialNB,
)

__all__ = [
    "BernoulliNB",
    "CategoricalNB",
    "ComplementNB",
    "GaussianNB",
    "MultinomialNB",
]

__getattr__ = theirs(__name__)
