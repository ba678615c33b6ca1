"""The entry points of `corefkit`, `python -m corefkit` and the scorers that imitate others."""

from corefkit.cli import begin, interruptible


@interruptible
def main() -> None:
    """Run `corefkit` and end the process."""
    begin()
    from corefkit.cli.app import corefkit, run_and_leave

    run_and_leave(corefkit)


@interruptible
def scorer() -> None:
    """Run `corefkit-scorer`."""
    begin()
    from corefkit.cli.app import run_and_leave
    from corefkit.cli.scorer import command

    run_and_leave(command)


@interruptible
def corefud_scorer() -> None:
    """Run `corefkit-corefud-scorer`."""
    begin()
    from corefkit.cli.app import run_and_leave
    from corefkit.cli.corefud_scorer import command

    run_and_leave(command)


@interruptible
def ua_scorer() -> None:
    """Run `corefkit-ua-scorer`."""
    begin()
    from corefkit.cli.app import run_and_leave
    from corefkit.cli.ua_scorer import command

    run_and_leave(command)


if __name__ == "__main__":
    main()
