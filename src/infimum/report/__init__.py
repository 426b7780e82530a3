"""Report: results in, one self-contained HTML file out."""

from infimum.report.comparison import (
    comparison,
    read_runs,
    render_comparison,
    write_comparison,
)
from infimum.report.page import render, write_report
from infimum.report.ranking import ranking_words, render_ranking, write_ranking

__all__ = [
    "comparison",
    "ranking_words",
    "read_runs",
    "render",
    "render_comparison",
    "render_ranking",
    "write_comparison",
    "write_ranking",
    "write_report",
]
