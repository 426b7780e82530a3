"""The arithmetic of reviewing: how many people a conference needs."""

from math import ceil

from infimum.parameters import check_domain, whole

__all__ = ["reviewers_needed"]


def reviewers_needed(submissions: int, reviews: int, load: int) -> int:
    """Return how many reviewers give each submission its reviews.

    Parameters
    ----------
    submissions : int
    reviews : int
        Reviews of each submission.
    load : int
        Reviews that a reviewer writes.

    Examples
    --------
    >>> reviewers_needed(10_000, 3, 6)
    5000
    """
    check_domain("reviewers_needed: submissions", submissions, whole(0))
    check_domain("reviewers_needed: reviews", reviews, whole(0))
    check_domain("reviewers_needed: load", load, whole(1))
    return ceil(submissions * reviews / load)
