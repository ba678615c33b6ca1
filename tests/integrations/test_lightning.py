"""The module of docs/python.md, trained by nobody but validated by two processes."""

import re
from pathlib import Path
from typing import Any

import pytest

import corefkit
import corefkit.integrations.distributed
from tests.integrations.test_distributed import documents
from tests.support import ROOT


def shown() -> str:
    """The class as the page has it."""
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    found = re.search(r"^```text\n(class Coreference\(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def batches() -> list[list[dict[str, Any]]]:
    """Batches of two documents, of different lengths."""
    rows = [
        {"name": str(number), "clusters": key, "found": response}
        for number, (key, response) in enumerate(documents())
    ]
    return [rows[at : at + 2] for at in range(0, len(rows), 2)]


def make_trainer(folder: Path) -> Any:
    """A trainer of two processes on this machine."""
    import lightning

    return lightning.Trainer(
        accelerator="cpu",
        devices=2,
        strategy="ddp_fork",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        use_distributed_sampler=False,
        default_root_dir=folder,
    )


def test_lightning(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    lightning = pytest.importorskip("lightning", reason="lightning is not installed")
    names: dict[str, Any] = {"lightning": lightning, "corefkit": corefkit}
    exec(shown(), names)
    base: Any = names["Coreference"]

    class System(base):  # type: ignore[misc]
        """Finds what is in the batch; process 0 sees the even batches, process 1 the odd ones."""

        def forward(self, document: dict[str, Any]) -> Any:
            return document["found"]

        def val_dataloader(self) -> Any:
            mine = batches()[self.trainer.global_rank :: self.trainer.world_size]
            return torch.utils.data.DataLoader(mine, batch_size=None, collate_fn=list)

    trainer = make_trainer(tmp_path)
    (told,) = trainer.validate(System(), verbose=False)
    whole = corefkit.Evaluator("muc,bcub,ceafe,conll")
    for key, response in documents():
        whole.update(key, response)
    expected = whole.scores().flat("dev/")
    assert told == pytest.approx(expected)
    assert trainer.world_size == 2
