"""Manifolds unrolled: Isomap, locally linear embedding, Laplacian eigenmaps."""
