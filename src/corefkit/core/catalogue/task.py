"""Incidents of shared tasks: their manifests, folders and subsets."""

from corefkit.core.catalogue.kind import Kind, error, one_hint, warning

TASK: dict[str, Kind] = {
    "manifest-unreadable": error(
        "The manifest of a task does not exist, may not be read, or is not UTF-8.",
        "Check the path; `corefkit task init DIR` writes a manifest.",
        {
            "": "the manifest cannot be read: {reason}",
            "utf8": "the manifest cannot be read: it is not UTF-8: {reason}",
        },
    ),
    "manifest-syntax": error(
        "The manifest of a task is not TOML.",
        "Correct the line that is named; docs/task.md describes the manifest.",
        {
            "": "the manifest cannot be read: {reason}",
            "toml": "the manifest cannot be read: it is not TOML: {reason}",
            "nested": "the manifest cannot be read: its brackets are nested too deeply",
        },
    ),
    "manifest-invalid": error(
        "The manifest of a task names something that does not exist, lacks something that it "
        "needs, or has a value that is not possible.",
        "Correct the entry; docs/task.md describes each of them.",
        {
            "name": "'{name}' cannot be a name here",
            "place": "'{place}' does not say what a response is for",
            "undefined": "{what} '{name}' is not defined",
            "same": "'{one}' and '{other}' have the same {what}",
            "usage": "{reason}",
            "missing": "'{key}' is missing",
            "missing-in": "'{key}' is missing in [{table}]",
            "type": "{key} is not {what}",
            "choice": "{key}: there is no '{value}'",
            "texts": "{key} is not a list of texts",
            "path": "{key} names no file",
            "address": "{key} is not an address of the web",
            "less": "{key} is less than {least}",
            "more": "{key} is more than {most:,}",
            "share": "{key} is not between 0 and 1",
            "none": "there are no {key}",
            "table": "{key} is not a table: [{key}]",
            "unreadable": "{key}: '{name}' cannot be read: {reason}",
            "empty": "{key} is empty",
            "unknown": "'{key}' is not known",
            "unknown-in": "'{key}' is not known in [{table}]",
            "tables": (
                "two tables would have the name '{name}': of {one} and of {other}",
                "choose another name for one of them",
            ),
        },
    ),
    "subset-document-unknown": warning(
        "A subset of a task lists documents that the key lacks; an error where it lists no other.",
        "Correct the list, or the language of the subset.",
        (
            "the subset {name} lists documents that the key lacks",
            "correct the list, or the language ({language}) of the subset",
        ),
    ),
    "file-unplaced": warning(
        "`corefkit task init` found a file whose name does not say where it belongs.",
        "Rename the file; `corefkit task init --help` says how.",
        one_hint(
            "name it {form}, or add it by hand",
            {
                "name": "'{name}' cannot be the name of a {what}",
                "unlike": "this does not look like a {what}",
                "no-key": "there is no key for {name}",
                "taken": "there is another {what} for {name}: {other}",
                "no-language": "the name of this response has no language that there is a key for",
                "word": "what is '{word}' in the name of this response?",
                "subset-key": "there is no key for '{name}' in the name of this subset",
                "subset-language": "the name of this subset does not say its language",
                "subset-taken": "there is another subset {name}: {other}",
            },
        ),
    ),
}
