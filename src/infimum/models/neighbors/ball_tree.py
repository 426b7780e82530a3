"""A ball tree: points in nested balls."""

from typing import ClassVar

from infimum.models.neighbors._search_tree import SearchTree

__all__ = ["BallTree"]


class BallTree(SearchTree):
    """Points in nested balls, to be asked which of them are near.

    Scikit-learn's class of that name: for distances of which nothing is known but
    that no way round is shorter. Answers are exact.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    leaf_size : int, default=40
        Most points in a leaf.
    metric : str or callable, default='minkowski'
        The distance; `valid_metrics` are its names.
    **parameters
        Of the distance: ``p`` of 'minkowski', for instance.

    Attributes
    ----------
    data : ndarray of shape (n_samples, n_features)
    valid_metrics : list of str

    Examples
    --------
    >>> import numpy as np
    >>> towns = np.radians([[51.5, -0.1], [48.9, 2.4], [40.7, -74.0]])
    >>> tree = BallTree(towns, metric="haversine")
    >>> angle, name = tree.query(np.radians([[52.5, 13.4]]))
    >>> name, (6371 * angle).round()
    (array([[1]]), array([[871.]]))
    """

    _algorithm = "ball_tree"
    valid_metrics: ClassVar[list[str]] = [
        "euclidean", "l2", "minkowski", "p", "manhattan", "cityblock", "l1",
        "chebyshev", "infinity", "seuclidean", "mahalanobis", "hamming", "canberra",
        "braycurtis", "jaccard", "dice", "rogerstanimoto", "russellrao",
        "sokalmichener", "sokalsneath", "haversine",
    ]  # fmt: skip
