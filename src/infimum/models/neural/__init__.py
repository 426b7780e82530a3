"""Networks: layers, activations, and the estimators that train them."""

from infimum.models.neural.activations import (
    Identity,
    ReLU,
    Sigmoid,
    Softplus,
    Tanh,
)
from infimum.models.neural.bernoulli_rbm import BernoulliRBM
from infimum.models.neural.convolutions import Convolution, MaxPool
from infimum.models.neural.evidence import Evidence
from infimum.models.neural.layers import Dense, Flatten, Reshape
from infimum.models.neural.mlp_classifier import MLPClassifier
from infimum.models.neural.mlp_regressor import MLPRegressor
from infimum.models.neural.network import Network
from infimum.models.neural.network_models import NetworkClassifier, NetworkRegressor

__all__ = [
    "BernoulliRBM",
    "Convolution",
    "Dense",
    "Evidence",
    "Flatten",
    "Identity",
    "MLPClassifier",
    "MLPRegressor",
    "MaxPool",
    "Network",
    "NetworkClassifier",
    "NetworkRegressor",
    "ReLU",
    "Reshape",
    "Sigmoid",
    "Softplus",
    "Tanh",
]
