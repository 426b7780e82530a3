"""The warning that votes can be even."""

__all__ = ["TieWarning"]


class TieWarning(UserWarning):
    """An even number of neighbours votes on two classes, so that votes can tie."""
