"""The algebra of kernels: what may be done to kernels so that kernels come out."""

from typing import TYPE_CHECKING

from infimum.lazy import load_on_demand

if TYPE_CHECKING:
    from infimum.kernels.algebra.addition import Sum
    from infimum.kernels.algebra.centering import Centered, center_gram
    from infimum.kernels.algebra.composition import Composed
    from infimum.kernels.algebra.conditioning import Conditioned
    from infimum.kernels.algebra.conic_combination import ConicCombination
    from infimum.kernels.algebra.constant import Constant
    from infimum.kernels.algebra.deformation import Deformed
    from infimum.kernels.algebra.exponentiation import Exponentiated
    from infimum.kernels.algebra.multiplication import Product
    from infimum.kernels.algebra.normalization import Normalized, normalize_gram
    from infimum.kernels.algebra.power import Power
    from infimum.kernels.algebra.reweighting import Reweighted
    from infimum.kernels.algebra.scaling import Scaled
    from infimum.kernels.algebra.tensor_product import TensorProduct


__all__ = [
    "Centered",
    "Composed",
    "Conditioned",
    "ConicCombination",
    "Constant",
    "Deformed",
    "Exponentiated",
    "Normalized",
    "Power",
    "Product",
    "Reweighted",
    "Scaled",
    "Sum",
    "TensorProduct",
    "center_gram",
    "normalize_gram",
]

if not TYPE_CHECKING:
    __getattr__ = load_on_demand(__name__)
