"""Maps from many dimensions to few that keep what matters."""

from infimum.models.embedding.kernel_pca import KernelPCA
from infimum.models.embedding.pca import PCA
from infimum.models.embedding.sne import SNE
from infimum.models.embedding.tsne import TSNE

__all__ = ["PCA", "SNE", "TSNE", "KernelPCA"]
