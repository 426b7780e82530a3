"""Clusters where samples are dense: DBSCAN, HDBSCAN, OPTICS, mean shift, level sets."""
