"""Trees of clusters: linkage, agglomerative clustering, dendrograms, Birch."""
