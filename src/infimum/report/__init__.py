"""Report: results in, one self-contained HTML file out."""

from infimum.report.comparison import (
    comparison,
    read_runs,
    render_comparison,
    write_comparison,
)
from infimum.report.page import render, write_report

__all__ = [
    "comparison",
    "read_runs",
    "render",
    "render_comparison",
    "write_comparison",
    "write_report",
]
