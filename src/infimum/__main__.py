"""``python -m infimum`` is the ``infimum`` command."""

from infimum.cli import main

if __name__ == "__main__":
    main()
