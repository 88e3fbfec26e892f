"""Every notebook runs as it stands, and is kept with its outputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.pages.notebooks import FOLDER, execute

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

for _module in ("nbclient", "ipykernel", "matplotlib"):
    pytest.importorskip(_module, reason="needs the extras dev and bench")


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda file: file.stem)
@pytest.mark.filterwarnings("ignore")  # Jupyter's
def test_a_notebook_runs(notebook: Path) -> None:
    import nbformat

    kept = nbformat.read(notebook, as_version=4)  # type: ignore[no-untyped-call]
    new = execute(notebook)
    pictures = 0
    for before, after in zip(kept.cells, new.cells, strict=True):
        kinds = [[(one.output_type, one.get("name")) for one in cell.get("outputs", ())]
                 for cell in (before, after)]  # fmt: skip
        assert set(kinds[0]) == {kind for kind in kinds[1] if kind[1] != "stderr"}
        pictures += sum("image/png" in one.get("data", ()) for one in before.get("outputs", ()))
    assert pictures >= 1
