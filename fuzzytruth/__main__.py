"""`python -m fuzzytruth` is the command `fuzzytruth`."""

from fuzzytruth.cli.app import main

if __name__ == "__main__":
    main()
