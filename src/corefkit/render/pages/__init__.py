"""Pages: self-contained HTML files, assembled from data and the scripts and styles of this package.

A page loads nothing else, and runs only the scripts whose hashes it names.
"""

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any
from zlib import compress

from corefkit.core.style import style as looks
from corefkit.core.texts import visible

_DATA = '<script type="application/octet-stream" id="data">{}</script>\n'
_LEVEL = 4
"""The level of compression: higher ones take four times as long and save a tenth."""


def assemble(
    title: str,
    body: str,
    styles: Sequence[str],
    scripts: Sequence[str],
    data: Mapping[str, Any] | None = None,
) -> str:
    """The page from the texts of its styles and scripts; `body` is trusted HTML.

    A Content-Security-Policy allows only these styles and scripts: no requests and no other code,
    whatever the data contains. Without `data` the body is complete, and its drawings may have
    inline styles.
    """
    style = "".join(styles)
    digits = f"const DIGITS = {looks().digits};\n"
    script = f'"use strict";\n(async () => {{\n{digits}{"".join(scripts)}}})();\n'
    allowed_style = "'unsafe-inline'" if data is None else _digest(style)
    policy = (
        f"default-src 'none'; style-src {allowed_style}; script-src {_digest(script)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return read_part("shared/page.html").format(
        policy=policy,
        title=escape(visible(title)),
        style=style,
        body=body,
        data="" if data is None else _DATA.format(pack(data)),
        script=script,
    )


def pack(data: Mapping[str, Any]) -> str:
    """The data as JSON, compressed (zlib) and in base64; shared/unpack.js reads it.

    It is at most half as large, and cannot end its HTML element, whatever it contains.
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return b64encode(compress(text.encode("utf-8", "replace"), _LEVEL)).decode()


def read_part(name: str, package: str = __name__) -> str:
    """The text of a file of a package, by default of this one."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
