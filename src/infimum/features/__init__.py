"""From tables and kernels to vectors that linear models, or trees, like."""

from typing import TYPE_CHECKING

from infimum.features.additive_chi2_sampler import AdditiveChi2Sampler
from infimum.features.nystroem import Nystroem
from infimum.features.polynomial_count_sketch import PolynomialCountSketch
from infimum.features.rbf_sampler import RBFSampler
from infimum.features.skewed_chi2_sampler import SkewedChi2Sampler
from infimum.features.table_encoder import TableEncoder
from infimum.moved import found_elsewhere

__all__ = [
    "AdditiveChi2Sampler",
    "Nystroem",
    "PolynomialCountSketch",
    "RBFSampler",
    "SkewedChi2Sampler",
    "TableEncoder",
]

if not TYPE_CHECKING:
    __getattr__ = found_elsewhere(__name__)
