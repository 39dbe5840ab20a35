"""`python -m fuzzytruth` is the command `fuzzytruth`."""

from fuzzytruth.cli import main

if __name__ == "__main__":
    main()
