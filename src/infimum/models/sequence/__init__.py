"""Sequences: hidden Markov models of any emission, with missing values and weights."""

from infimum.models.sequence.categorical_hmm import CategoricalHMM
from infimum.models.sequence.convergence_monitor import ConvergenceMonitor
from infimum.models.sequence.crf import CRF
from infimum.models.sequence.gaussian_hmm import GaussianHMM
from infimum.models.sequence.gmm_hmm import GMMHMM
from infimum.models.sequence.hidden_markov_model import HiddenMarkovModel
from infimum.models.sequence.multinomial_hmm import MultinomialHMM
from infimum.models.sequence.poisson_hmm import PoissonHMM

__all__ = [
    "CRF",
    "GMMHMM",
    "CategoricalHMM",
    "ConvergenceMonitor",
    "GaussianHMM",
    "HiddenMarkovModel",
    "MultinomialHMM",
    "PoissonHMM",
]
