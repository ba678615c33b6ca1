"""The kinds of incident of shared tasks: their manifests, folders and subsets."""

from corefkit.data.kind import Kind

TASK: dict[str, Kind] = {
    "manifest-unreadable": Kind(
        "error",
        "The manifest of a task does not exist, may not be read, or is not UTF-8.",
        "Check the path; `corefkit task init DIR` writes a manifest.",
    ),
    "manifest-syntax": Kind(
        "error",
        "The manifest of a task is not TOML.",
        "Correct the line that is named; docs/task.md describes the manifest.",
    ),
    "manifest-invalid": Kind(
        "error",
        "The manifest of a task names something that does not exist, lacks something that it "
        "needs, or has a value that is not possible.",
        "Correct the entry; docs/task.md describes each of them.",
    ),
    "subset-document-unknown": Kind(
        "warning",
        "A subset of a task lists documents that the key lacks; an error where it lists no other.",
        "Correct the list, or the language of the subset.",
    ),
    "file-unplaced": Kind(
        "warning",
        "`corefkit task init` found a file whose name does not say where it belongs.",
        "Rename the file; `corefkit task init --help` says how.",
    ),
}
