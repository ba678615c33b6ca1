"""`python -m corefkit` is `corefkit`."""

from corefkit.cli import main

main()
