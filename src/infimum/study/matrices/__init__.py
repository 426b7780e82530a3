"""Linear algebra with evidence: bases, ranks, spectra, projections, norms.

NumPy computes; this room checks, bounds and explains. What is refused is refused with a
witness, what is approximate comes with a bound on its error:

- `span`, `coordinates`: is it a basis, and where is x in it?
- `LinearMap`, `matrix_of`, `linearity_defect`: maps and their matrices.
- `rank`: by four definitions. `inverse`, `pseudo_inverse`, `reconstruction_defect`.
- `angle`, `orthogonality`, `matrix_norms`.
- `eigenspaces`, `characteristic_polynomial`, `diagonalizable`;
  `spectral_decomposition`, `singular_value_decomposition`, `definiteness`.
- `rayleigh_quotient`, `rayleigh_principle`, `quotient_range`, `power_method`.
- `leading_eigenpairs` of a large operator, with residuals.
- `Projection`, `project_onto`, `project_along`, `AffineProjection`.
"""

from infimum.models.leading_eigenpairs import Eigenpairs, leading_eigenpairs
from infimum.study.matrices.angles import OrthogonalityReport, angle, orthogonality
from infimum.study.matrices.bases import Coordinates, Span, coordinates, span
from infimum.study.matrices.definite import DefinitenessReport, definiteness
from infimum.study.matrices.eigenspaces import (
    Eigenspace,
    characteristic_polynomial,
    diagonalizable,
    eigenspaces,
)
from infimum.study.matrices.inverses import (
    Inverse,
    PseudoInverse,
    inverse,
    pseudo_inverse,
    reconstruction_defect,
)
from infimum.study.matrices.linear_map import LinearMap, linearity_defect, matrix_of
from infimum.study.matrices.norms import MatrixNorms, matrix_norms
from infimum.study.matrices.power_method import PowerMethod, power_method
from infimum.study.matrices.projections import (
    AffineProjection,
    Projection,
    project_along,
    project_onto,
)
from infimum.study.matrices.ranks import RankReport, rank
from infimum.study.matrices.rayleigh import (
    RayleighSteps,
    quotient_range,
    rayleigh_principle,
    rayleigh_quotient,
)
from infimum.study.matrices.singular_values import (
    SingularValues,
    singular_value_decomposition,
)
from infimum.study.matrices.spectral import Spectrum, spectral_decomposition

__all__ = [
    "AffineProjection",
    "Coordinates",
    "DefinitenessReport",
    "Eigenpairs",
    "Eigenspace",
    "Inverse",
    "LinearMap",
    "MatrixNorms",
    "OrthogonalityReport",
    "PowerMethod",
    "Projection",
    "PseudoInverse",
    "RankReport",
    "RayleighSteps",
    "SingularValues",
    "Span",
    "Spectrum",
    "angle",
    "characteristic_polynomial",
    "coordinates",
    "definiteness",
    "diagonalizable",
    "eigenspaces",
    "inverse",
    "leading_eigenpairs",
    "linearity_defect",
    "matrix_norms",
    "matrix_of",
    "orthogonality",
    "power_method",
    "project_along",
    "project_onto",
    "pseudo_inverse",
    "quotient_range",
    "rank",
    "rayleigh_principle",
    "rayleigh_quotient",
    "reconstruction_defect",
    "singular_value_decomposition",
    "span",
    "spectral_decomposition",
]
