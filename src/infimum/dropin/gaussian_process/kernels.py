"""The kernels of ``sklearn.gaussian_process.kernels``, as scikit-learn wrote them.

They are descriptions with parameters, bounds and slopes, no learners; our processes
read them as they read those of `infimum.kernels`.
"""

from sklearn.gaussian_process.kernels import (
    RBF,
    CompoundKernel,
    ConstantKernel,
    DotProduct,
    Exponentiation,
    ExpSineSquared,
    Hyperparameter,
    Kernel,
    Matern,
    PairwiseKernel,
    Product,
    RationalQuadratic,
    Sum,
    WhiteKernel,
)

__all__ = [
    "RBF",
    "CompoundKernel",
    "ConstantKernel",
    "DotProduct",
    "ExpSineSquared",
    "Exponentiation",
    "Hyperparameter",
    "Kernel",
    "Matern",
    "PairwiseKernel",
    "Product",
    "RationalQuadratic",
    "Sum",
    "WhiteKernel",
]
