"""What the documentation site has besides docs/: a hook of MkDocs, named in mkdocs.yml.

The README is the first page; the changelog, the page for contributors and the README of the
examples are pages, too. The reference of commands is made from the commands themselves, those of
metrics, formats and incidents from their texts, that of Python from the docstrings of public names.
Pages that corefkit writes go along, made from the examples: a picture of one leads to it.
"""

import re
import subprocess
import sys
from html import escape, unescape
from pathlib import Path, PurePosixPath
from posixpath import normpath
from runpy import run_path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

import corefkit
from corefkit._version import ADDRESS
from corefkit.cli.app import COMMANDS
from corefkit.cli.app import corefkit as command_line
from corefkit.cli.check import incidents_in_markdown
from corefkit.cli.metrics import explain_metric
from corefkit.core.incidents import all_kinds
from corefkit.formats.registry import format_names, get_format
from corefkit.metrics import NAMES

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
ELSEWHERE = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "LICENSE": "license.md",
    "examples/README.md": "examples.md",
    "docs/README.md": "index.md",
}
"""Files outside docs/ (or left out of the site) and the pages that they become."""
LIVE = {
    "report-overview.png": "demo/report.html",
    "report-document.png": "demo/report.html",
    "task.png": "demo/task/index.html",
    "adjudication.png": "demo/adjudication.html",
}
"""Pictures, and the live pages that they show."""
_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)\s#]+)(#[^)\s]*)?\)")
_MODULES = (
    "corefkit.testing",
    "corefkit.integrations.answer_scores",
    "corefkit.integrations.distributed",
    "corefkit.integrations.inspect_scorer",
    "corefkit.integrations.lm_eval_task",
    "corefkit.integrations.spacy",
)


def on_config(config: "MkDocsConfig") -> "MkDocsConfig":
    """The address of the repository, where there is one."""
    config.repo_url = ADDRESS or None
    return config


def on_files(files: "Files", config: "MkDocsConfig") -> "Files":
    """Add the pages that are not in docs/."""
    from mkdocs.structure.files import File

    made = {
        page: relink((ROOT / path).read_text(encoding="utf-8"), path)
        for path, page in ELSEWHERE.items()
        if path != "docs/README.md"
    }
    made["license.md"] = f"# Licence\n\n```text\n{made['license.md']}```\n"
    made |= {"incidents.md": incidents_page(), "api.md": api_page()}
    made["pictures/packages.svg"] = run_path(str(ROOT / "docs/pictures/packages.py"))["draw"]()
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_post_build(config: "MkDocsConfig") -> None:
    """Put the pages of a report, of a task and of an adjudication into the site, to be tried."""
    examples, demo = ROOT / "examples", Path(config.site_dir, "demo")
    demo.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        run_path(str(examples / "made_up_task.py"))["main"](Path(folder), copies=1)
        manifest, results = Path(folder, "task.toml"), demo / "task"
        for words in (
            ["report", "key.conll", "hasty.conll", "careful.conll", "-o", demo / "report.html"],
            ["adjudicate", "project", "--page", demo / "adjudication.html"],
            ["task", "run", manifest, "-o", results, "--allow-broken", "--no-plots"],
        ):
            command = [sys.executable, "-m", "corefkit", *map(str, words)]
            subprocess.run(command, cwd=examples, capture_output=True, check=True)
    assert all(Path(config.site_dir, page).is_file() for page in LIVE.values())


def on_page_markdown(markdown: str, page: "Page", **_: Any) -> str:
    """Links of the pages in docs/ that lead out of it lead to pages of the site."""
    if page.file.generated_by:
        return with_consoles(with_live_pages(markdown))
    shown = "![The packages of corefkit, and which imports which](pictures/packages.svg)"
    relinked = relink(markdown, f"docs/{page.file.src_uri}")
    if page.file.src_uri == "command-line.md":
        relinked += commands()
    if page.file.src_uri == "metrics.md":
        relinked = with_metrics(relinked)
    if page.file.src_uri == "formats.md":
        relinked = relinked.partition("<!-- formats -->")[0] + formats_section()
    return with_consoles(with_live_pages(relinked.replace("<!-- packages.svg -->", shown)))


def on_page_content(html: str, **_: Any) -> str:
    """Buttons copy what a reader types, without prompts and without what is printed."""
    return re.sub(r'<div class="highlight">(?=<pre>(.*?)</pre>)', _with_copy, html, flags=re.DOTALL)


def _with_copy(block: re.Match[str]) -> str:
    """The beginning of a block, with the text for the button if the block has prompts."""
    typed = [
        unescape(re.sub(r'<span class="gp">.*?</span>|<[^>]+>', "", line))
        for line in block[1].split("\n")
        if 'class="gp"' in line
    ]
    if not typed:
        return block[0]
    return f'<div class="highlight" data-copy="{escape(chr(10).join(typed))}">'


def with_live_pages(markdown: str) -> str:
    """Pictures of pages, each a link to the page.

    >>> with_live_pages("![A task](pictures/task.png)")
    '<a href="demo/task/index.html">![A task](pictures/task.png)</a>'
    """

    def lead(picture: re.Match[str]) -> str:
        return f'<a href="{LIVE[picture[1]]}">{picture[0]}</a>'

    return re.sub(rf"!\[[^\]]*\]\(pictures/({'|'.join(LIVE)})\)", lead, markdown)


def with_consoles(markdown: str) -> str:
    """Blocks with commands and what they print, marked so that only the commands look like code.

    >>> with_consoles("```sh\\n$ corefkit --version\\ncorefkit 0.1.0\\n```\\n")
    '```console\\n$ corefkit --version\\ncorefkit 0.1.0\\n```\\n'
    """
    shells = re.sub(r"^```sh\n(?=\$ )", "```console\n", markdown, flags=re.MULTILINE)
    return re.sub(r"^```python\n(?=>>> )", "```pycon\n", shells, flags=re.MULTILINE)


def relink(text: str, path: str) -> str:
    """The text of a file of the repository, its links as they are on the site.

    >>> relink("[Metrics](docs/metrics.md#muc), [licence](LICENSE)", "README.md")
    '[Metrics](metrics.md#muc), [licence](license.md)'
    >>> relink("[Contributing](../CONTRIBUTING.md), [code](../src/a.py)", "docs/speed.md")
    '[Contributing](contributing.md), code'
    """

    def lead(link: re.Match[str]) -> str:
        picture, title, target, anchor = link.groups()
        whole = normpath(str(PurePosixPath(path).parent / target))
        page = ELSEWHERE.get(whole)
        if page is None and not whole.startswith("docs/"):
            return title
        return f"{picture}[{title}]({page or whole.removeprefix('docs/')}{anchor or ''})"

    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(p if p.startswith("```") else _LINK.sub(lead, p) for p in parts)


def incidents_page() -> str:
    """What every incident means, from `corefkit check --list`."""
    return f"""# What every incident means

Every problem that corefkit finds in data is an *incident*: an id that never changes, a severity,
the place (file, line, column, document), the text found, the text expected and a remedy.
`corefkit check` lists them all, `corefkit score` stops at errors and continues after warnings.
`corefkit check --list` prints this page.

{incidents_in_markdown(all_kinds())}"""


def formats_section() -> str:
    """A table of all formats, and the options of those that have any."""
    lines = ["| name | what it is | written | spans count | holds |", "|---|---|---|---|---|"]
    explained = []
    for name in format_names():
        form = get_format(name)
        written = "yes" if form.write else ""
        holds = ", ".join(sorted(form.holds))
        title = f"{form.title} (never tried on a file of a corpus)" * form.untried or form.title
        lines.append(f"| `{name}` | {title} | {written} | {form.unit}s | {holds} |")
        if form.options:
            explained += ["", f"### {name}", ""]
        for option in form.options:
            typed = option.name.replace("_", "-")
            explained.append(f"- `--read {typed}={option.example}`: {option.help}")
    return "\n".join(lines + explained) + "\n"


def with_metrics(markdown: str) -> str:
    """The page with what `corefkit metrics NAME` prints: in its section, or else at the end."""
    last = ["", "## The others", ""]
    for name in NAMES:
        shown = f"```text\n{explain_metric(name)}\n```"
        section = re.search(rf"^#+ {name}\n\n.*?(?=\n#)", markdown, re.MULTILINE | re.DOTALL)
        if section:
            at = section.end()
            markdown = f"{markdown[:at]}\n{shown}\n{markdown[at:]}"
        else:
            last += [f"### {name}", "", shown, ""]
    return markdown + "\n".join(last)


def commands() -> str:
    """All commands with all their options, in the groups of `corefkit --help`."""
    lines: list[str] = []
    top = click.Context(command_line, info_name="corefkit")
    for group, names in COMMANDS.items():
        lines += ["", f"### {group}"]
        for name in names:
            command = command_line.get_command(top, name)
            assert command is not None
            lines += _command(command, click.Context(command, info_name=name, parent=top))
    return "\n".join(lines) + "\n"


def _command(command: click.Command, context: click.Context, depth: int = 4) -> list[str]:
    lines = ["", f"{'#' * depth} {context.command_path}", "", "```text", _help(command, context)]
    lines.append("```")
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            lines += _command(
                inner, click.Context(inner, info_name=name, parent=context), depth + 1
            )
    return lines


def _help(command: click.Command, context: click.Context) -> str:
    """What `--help-all` prints, for commands that have it, else `--help`."""
    context.meta["help_all"] = True
    formatter = click.HelpFormatter(width=100)
    command.format_usage(context, formatter)
    command.format_help_text(context, formatter)
    if not isinstance(command, click.Group):
        command.format_options(context, formatter)
    return formatter.getvalue().rstrip("\n")


def api_page() -> str:
    """Every public name and the documented modules, for mkdocstrings."""
    lines = [
        "# Python API",
        "",
        "Made from the docstrings. [Python](python.md) explains the names with examples,",
        "[What is public](python.md#what-is-public) says what you can rely on.",
        "",
        "## The package",
    ]
    for name in corefkit.__all__:
        if name != "__version__":
            lines += ["", f"::: corefkit.{name}"]
    lines += ["", "## Modules"]
    for module in _MODULES:
        lines += ["", f"::: {module}", "    options:", "      show_root_full_path: true"]
    return "\n".join(lines) + "\n"
