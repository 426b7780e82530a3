"""Ensembles: many models that answer together."""

from infimum.models.ensembles.ada_boost_classifier import AdaBoostClassifier

__all__ = [
    "AdaBoostClassifier",
]
