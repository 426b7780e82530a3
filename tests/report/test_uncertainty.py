"""No value without its uncertainty: every number in a table has it or needs none."""

import re
from html import unescape

import numpy as np
import pytest

from infimum.learn.evidence.promises import _sets
from infimum.report import render
from tests.report.conftest import WISHES

#: Why the numbers under a heading stand alone.
EXACT = {
    "features": "counted; the caption says that it is an average over folds",
    "rel. gap": "a proof has no error",
    "time": "taken once, as the caption says",
    "row": "a number of a row",
    "rows": "counted",
    "of": "counted",
    "margin": "what the model says about one row",
    "score": "what the model says about one row",
    "missing": "counted",
    "different values": "counted",
    "said to be likely": "what the model says, as the caption says",
    "wrong": "its interval stands in the next column",
}
OF_ALL_ROWS = re.compile(r"±|\(| to |one fold|not known|^–$")


def tables(text):
    """Return the headings, the caption and the rows of each table of a page."""
    plain = re.sub(r"<script.*?</script>|<style.*?</style>", "", text, flags=re.S)
    for table in re.findall(r"<table.*?</table>", plain, flags=re.S):
        head, _, body = table.partition("<tbody>")
        caption = re.search(r"<caption>(.*?)</caption>", head, flags=re.S)[1]
        headings = re.findall(r'<t[hd](?: scope="col"[^>]*)?>(.*?)</t[hd]>', head)
        rows = re.findall(r"<tr.*?</tr>", body, flags=re.S)
        yield [_words(each) for each in headings], _words(caption), rows


def _words(markup):
    return unescape(re.sub(r"<[^>]*>", "", markup)).strip()


@pytest.mark.parametrize("task", WISHES)
def test_every_number_of_every_table_has_its_uncertainty(results, task):
    bare, numbers = [], 0
    for headings, caption, rows in tables(render(results[task])):
        if "not measured" in caption or "How long each stage took" in caption:
            continue
        for row in rows:
            cells = re.findall(r"<t[hd]([^>]*)>(.*?)</t[hd]>", row, flags=re.S)
            for heading, (kind, cell) in zip(headings, cells, strict=True):
                if 'class="n"' not in kind:
                    continue
                numbers += 1
                if not OF_ALL_ROWS.search(_words(cell)) and heading not in EXACT:
                    bare.append((heading, _words(cell)))
    assert numbers >= 10
    assert bare == []


@pytest.mark.parametrize("task", WISHES)
def test_titles_give_measured_shares_with_their_intervals(results, task):
    text = render(results[task])
    titles = [_words(each) for each in re.findall(r"<h2[^>]*>(.*?)</h2>", text)]
    shares = [title for title in titles if re.search(r"\d\.\d\s%", title)]
    sure = re.compile(r"\(.* to .*%\)|at most|[\d.] to [\d.]+\s%", re.IGNORECASE)
    assert [title for title in shares if not sure.search(title)] == []


def test_sets_that_are_all_of_one_label_do_not_prove_that_all_will_be():
    told = _sets(np.eye(3, dtype=bool)[np.zeros(18, dtype=int)])
    # 0 of 18 have a share of at most 18.5 %, each at most two labels more.
    assert told["size_low"] == pytest.approx(1 - 0.1853, abs=1e-4)
    assert told["size_high"] == pytest.approx(1 + 2 * 0.1853, abs=1e-4)
