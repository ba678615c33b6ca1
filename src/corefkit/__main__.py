"""Where `corefkit` and `python -m corefkit` begin."""

from corefkit._process import begin


def main() -> None:
    """Run the command line and end the process."""
    begin()
    from corefkit.cli.app import corefkit, run_and_leave

    run_and_leave(corefkit)


if __name__ == "__main__":
    main()
