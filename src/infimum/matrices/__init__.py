"""What linear algebra adds when it must also say how right it is."""

from infimum.matrices.leading_eigenpairs import Eigenpairs, leading_eigenpairs

__all__ = ["Eigenpairs", "leading_eigenpairs"]
