"""Progress bars on a terminal, silence elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from infimum.learn import Step

__all__ = ["showing"]

_STAGES = {
    "read": "Reading the table",
    "race": "Racing",
    "refit": "Refitting the chosen model",
    "prove": "Proving",
    "test": "Testing",
}


@contextmanager
def showing(on_terminal: bool) -> Iterator[Callable[[Step], None]]:  # noqa: FBT001
    """Show a bar a stage while the job runs."""
    if not on_terminal:
        yield lambda _: None
        return
    columns = (
        TextColumn("{task.description:<28}"),
        BarColumn(bar_width=30),
        TimeElapsedColumn(),
        TextColumn("{task.fields[note]}"),
    )
    with Progress(*columns, console=Console(stderr=True)) as bars:
        yield _Display(bars)


class _Display:
    """One bar for each stage, finished when the next one begins."""

    def __init__(self, bars: Progress) -> None:
        self.bars = bars
        self.stage = ""

    def __call__(self, step: Step) -> None:
        if step.stage != self.stage:
            self._finish()
            self.stage = step.stage
            words = _STAGES.get(step.stage, step.stage)
            self.task = self.bars.add_task(words, total=None, note="")
        if step.total:
            self.bars.update(
                self.task, total=step.total, completed=step.done, note=step.note
            )

    def _finish(self) -> None:
        if self.stage:
            total = self.bars.tasks[-1].total or 1
            self.bars.update(self.task, total=total, completed=total, note="")
