"""The race on the screen: a table on a terminal, lines elsewhere."""

import io
import math

import pytest
from rich.console import Console

from infimum.cli.progress import headline, scoreboard, showing
from infimum.learn import Step
from infimum.learn.compare.tally import Entry
from infimum.learn.result import TOO_SLOW

BOARD = (
    Entry("Majority class", 0.5, 0.5, 0.0, 5, 0.1, True, ""),
    Entry("Boosting", 0.18, 0.82, 0.02, 5, 3.2, None, ""),
    Entry("Hinge", 0.19, 0.81, math.nan, 1, 9.0, False, "too slow"),
    Entry("Late", math.nan, math.nan, math.nan, 0, 0.0, None, ""),
)


def step(done, board=BOARD):
    return Step("race", "Boosting, sweep 1, fold 2", done, 100, board, 12.4)


def test_the_headline_says_stage_share_and_time_left():
    words = headline(step(25))
    assert words == "Racing 25 %, at most 12 s left: Boosting, sweep 1, fold 2"
    assert headline(Step("explain")) == "Gathering evidence"


def test_the_table_shows_scores_with_errors_gaps_and_the_leader():
    screen = Console(file=io.StringIO(), width=100)
    screen.print(scoreboard(BOARD))
    lines = screen.file.getvalue().splitlines()
    assert "score ± error" in lines[0]
    leading = next(line for line in lines if "leads" in line)
    assert leading.startswith("Boosting")
    assert "0.82 ± 0.02" in leading
    assert "closed" in lines[1]
    assert "open" in lines[3]
    assert "too slow" in lines[3]


def test_without_a_terminal_there_is_a_line_a_tenth():
    stream = io.StringIO()
    with showing(stream) as progress:
        progress(Step("read"))
        progress(step(0, ()))
        for done in range(40):
            progress(step(done))
    said, *lines = stream.getvalue().splitlines()
    assert said == "[  0 s] Racing"
    assert len(lines) == 3
    assert lines[0].endswith("Boosting leads with 0.82 ± 0.02")


def test_reading_is_told_by_its_notes_alone_so_that_an_error_stands_alone():
    stream = io.StringIO()
    with showing(stream) as progress:
        progress(Step("read"))
        progress(Step("read", "y was taken for 3 classes."))
        progress(Step("read", "y was taken for 3 classes."))
    (line,) = stream.getvalue().splitlines()
    assert line == "[  0 s] Reading the table: y was taken for 3 classes."


class _Terminal(io.StringIO):
    def isatty(self):
        return True


def test_on_a_terminal_the_table_is_drawn():
    stream = _Terminal()
    with showing(stream) as progress:
        progress(step(10))
        progress(Step("refit"))
    assert "Majority class" in stream.getvalue()
    assert "Refitting the chosen model" in stream.getvalue()


@pytest.mark.parametrize("width", [80, 120])
def test_no_row_of_the_table_takes_two_lines(width):
    long = Entry(
        "A family with a very long name indeed, squared",
        0.2,
        0.8,
        0.01,
        5,
        1.0,
        None,
        TOO_SLOW,
    )
    large = Entry("Boosting", 0.1, 123456.7, 2345.6, 5, 103.2, None, "")
    screen = Console(file=io.StringIO(), width=width)
    screen.print(scoreboard((*BOARD, long, large), width))
    lines = screen.file.getvalue().splitlines()
    assert len(lines) == 1 + len(BOARD) + 2
    assert all(len(line) <= width for line in lines)
    assert "123,457 ± 2,346" in lines[-1]
    assert lines[-2].rstrip().endswith("too slow")


def test_a_board_without_contenders_is_an_empty_table():
    assert scoreboard(()).row_count == 0


def test_in_a_file_there_are_no_control_characters():
    stream = io.StringIO()
    with showing(stream) as progress:
        for done in range(100):
            progress(step(done))
    assert stream.getvalue().replace("\n", "").isprintable()
