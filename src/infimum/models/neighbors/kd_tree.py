"""A k-d tree: points in nested boxes."""

from typing import ClassVar

from infimum.models.neighbors._search_tree import SearchTree

__all__ = ["KDTree"]


class KDTree(SearchTree):
    """Points in nested boxes, to be asked which of them are near.

    Scikit-learn's class of that name. Answers are exact; equally near points come in
    their own order. For Euclidean distances in few dimensions boxes are searched, for
    others what `NearestNeighbors` finds best.

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
    >>> tree = KDTree([[0.0, 0.0], [1.0, 0.0], [5.0, 5.0]])
    >>> distances, names = tree.query([[0.9, 0.0]], k=2)
    >>> names, distances.round(3)
    (array([[1, 0]]), array([[0.1, 0.9]]))
    >>> tree.query_radius([[0.0, 0.0]], r=1.0, count_only=True)
    array([2])
    """

    _algorithm = "kd_tree"
    valid_metrics: ClassVar[list[str]] = [
        "euclidean", "l2", "minkowski", "p", "manhattan", "cityblock", "l1",
        "chebyshev", "infinity",
    ]  # fmt: skip
