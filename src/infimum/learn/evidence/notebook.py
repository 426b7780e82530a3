"""The notebook: findings that outlive whoever gathers them."""

from typing import Any

from infimum.learn.journal import Journal
from infimum.theory.plain_record import plain

__all__ = ["Notebook"]


class Notebook:
    """Findings about one model, in memory and in the journal of its run.

    Parameters
    ----------
    journal : Journal, optional
        Where finished sections are kept, so that a resumed run need not repeat them.
    about : plain data
        What tells the model from others; findings about another one are not recalled.

    Attributes
    ----------
    found : dict
        What has been found so far, a key a section.
    stopped : bool
        Whether Ctrl-C was pressed on the way.
    """

    def __init__(self, journal: Journal | None = None, about: Any = None) -> None:
        self.journal = journal or Journal(None)
        self.about = plain(about)
        self.found: dict[str, Any] = {}
        self.stopped = False

    def recall(self, name: str) -> bool:
        """Whether a section had been finished before the run was killed."""
        told = self.journal.noted(f"finding-{name}")
        if told is None or told["about"] != self.about:
            return False
        self.found[name] = told["found"]
        return True

    def keep(self, name: str, finding: Any) -> None:
        """Write down a finished section."""
        self.found[name] = plain(finding)
        told = {"about": self.about, "found": self.found[name]}
        self.journal.note(f"finding-{name}", told)
