"""`python -m unswayed`: the command line where no script of that name is on the path."""

from unswayed.commands import main

if __name__ == "__main__":
    main()
