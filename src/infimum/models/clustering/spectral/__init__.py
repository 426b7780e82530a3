"""Clusters from eigenvectors: spectral clustering, co-clustering, biclustering."""
