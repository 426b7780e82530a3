"""Maps from many dimensions to few that keep what matters."""

from infimum.models.embedding.kernel_pca import KernelPCA
from infimum.models.embedding.pca import PCA

__all__ = ["PCA", "KernelPCA"]
