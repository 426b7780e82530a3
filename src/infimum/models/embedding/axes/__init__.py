"""Linear maps by eigenvectors: principal components, truncated SVD, kernel PCA."""
