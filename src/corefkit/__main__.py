"""Where `corefkit` and `python -m corefkit` begin."""

from corefkit._process import begin


def main() -> None:
    """Run the command line and end the process."""
    begin()
    from corefkit.cli import main as run

    run()


if __name__ == "__main__":
    main()
