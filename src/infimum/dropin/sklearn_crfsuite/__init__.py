"""sklearn-crfsuite's module names with our conditional random field behind them.

Change ``import sklearn_crfsuite`` to
``from infimum.dropin import sklearn_crfsuite``.
"""

from infimum.dropin.sklearn_crfsuite.estimator import CRF

__all__ = ["CRF"]
