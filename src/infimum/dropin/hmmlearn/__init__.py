"""hmmlearn's module names with our hidden Markov models behind them.

Change ``from hmmlearn import hmm`` to ``from infimum.dropin.hmmlearn import hmm``. What
is not here: variational models, and what is private in hmmlearn.
"""

__all__: list[str] = []
