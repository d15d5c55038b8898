"""`python -m codemods` is `xlafix`."""

from codemods.cli import main

if __name__ == "__main__":
    main()
