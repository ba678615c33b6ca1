"""python tools/properties.py: write the properties of our partition metrics into their table.

`corefkit metrics NAME --properties` prints them from there.
"""

import json
from pathlib import Path

from corefkit.metrics import NAMES, get
from corefkit.metrics.base import PartitionMetric
from corefkit.plugins.audit.properties import find_properties

TABLE = Path(__file__).resolve().parents[1] / "src/corefkit/plugins/audit/properties.json"


def main() -> None:
    """Write the table."""
    names = [name for name in NAMES if isinstance(get(name), PartitionMetric)]
    table = json.dumps(find_properties(names), indent=1, ensure_ascii=False)
    TABLE.write_text(table + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
