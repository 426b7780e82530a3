"""Clusters around centres: k-means and its variants, k-medians, k-medoids."""
