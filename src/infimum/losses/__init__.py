"""Losses ℓ(y, f), one file each. To add one: write the file, add two lines here."""

from infimum.losses._base import Loss, VectorLoss
from infimum.losses.absolute import Absolute
from infimum.losses.epsilon_insensitive import EpsilonInsensitive
from infimum.losses.hinge import Hinge
from infimum.losses.huber import Huber
from infimum.losses.logistic import Logistic
from infimum.losses.multiclass_hinge import MulticlassHinge
from infimum.losses.multivariate_squared import MultivariateSquared
from infimum.losses.novelty import Novelty
from infimum.losses.poisson import Poisson
from infimum.losses.quantile import Quantile
from infimum.losses.scaled_multiclass_hinge import ScaledMulticlassHinge
from infimum.losses.softmax import Softmax
from infimum.losses.squared import Squared
from infimum.losses.squared_epsilon_insensitive import SquaredEpsilonInsensitive
from infimum.losses.squared_hinge import SquaredHinge

__all__ = [
    "Absolute",
    "EpsilonInsensitive",
    "Hinge",
    "Huber",
    "Logistic",
    "Loss",
    "MulticlassHinge",
    "MultivariateSquared",
    "Novelty",
    "Poisson",
    "Quantile",
    "ScaledMulticlassHinge",
    "Softmax",
    "Squared",
    "SquaredEpsilonInsensitive",
    "SquaredHinge",
    "VectorLoss",
]
