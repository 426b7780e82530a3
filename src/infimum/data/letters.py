"""Random letters, some of them spam, whose vocabulary may change."""

import numpy as np
from numpy.typing import NDArray

from infimum.parameters import check_domain, closed, whole

__all__ = ["draw_letters"]

_HAM = (
    "meeting report lunch project review budget family train notes thanks agenda "
    "kitchen garden draft seminar ticket"
)
_SPAM = (
    "winner free prize credit click offer cheap pills money urgent cash bonus "
    "guarantee lottery discount viagra"
)
_LATER_SPAM = (
    "crypto wallet token airdrop profit invest double coins signal trader mining "
    "staking exchange leverage passive income"
)
_ALL = (
    "the a you we is to of and for now today please with on at this that from have "
    "will can me my your it be are was"
)


def draw_letters(
    n: int, *, turn: float = 1.0, share: float = 0.4, seed: int = 0
) -> tuple[list[str], NDArray[np.str_]]:
    """Draw letters of 12 words and say which are "spam" and which "ham".

    A letter has two to four telling words of its kind, and one telling word in twelve
    is of the other kind. After a share `turn` of the letters the spammers use other
    words.

    Parameters
    ----------
    n : int
        Letters.
    turn : float, default=1.0
        When the words change; 1 is never.
    share : float, default=0.4
        Probability of spam.
    seed : int, default=0

    Examples
    --------
    >>> texts, labels = draw_letters(3, seed=1)
    >>> len(texts[0].split()), labels.tolist()
    (12, ['ham', 'ham', 'spam'])
    """
    check_domain("draw_letters n", n, whole(1))
    check_domain("draw_letters turn", turn, closed(0, 1))
    check_domain("draw_letters share", share, closed(0, 1))
    rng = np.random.default_rng(seed)
    ham, early, late, plain = (
        np.array(words.split()) for words in (_HAM, _SPAM, _LATER_SPAM, _ALL)
    )
    spam = rng.random(n) < share
    texts = []
    for i in range(n):
        bad = early if i < turn * n else late
        telling = int(rng.integers(2, 5))
        swapped = rng.random(telling) < 1.0 / 12.0
        own, other = (bad, ham) if spam[i] else (ham, bad)
        words = np.where(swapped, rng.choice(other, telling), rng.choice(own, telling))
        letter = np.concatenate([words, rng.choice(plain, 12 - telling)])
        texts.append(" ".join(rng.permutation(letter).tolist()))
    return texts, np.where(spam, "spam", "ham")
