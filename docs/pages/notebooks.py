"""The notebooks: `python -m docs.pages.notebooks` executes them and stores their outputs.

Give names to execute only these, such as first_steps.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from docs.pages.links import DOCS

FOLDER = DOCS / "notebooks"
SECONDS = 300
"""Limit of a cell: the first one of a puzzle compiles."""


def execute(file: Path) -> Any:
    """The notebook with new outputs; an error in a cell is raised."""
    import nbformat
    from nbclient import NotebookClient

    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())  # SDL asks for one
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    notebook = nbformat.read(file, as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(notebook, timeout=SECONDS, record_timing=False, kernel_name="python3").execute()
    notebook.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3"}
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            output.get("data", {}).pop("image/jpeg", None)  # what Pillow adds to each PNG
    return notebook


if __name__ == "__main__":
    import nbformat

    for file in sorted(FOLDER.glob("*.ipynb")):
        if file.stem in (sys.argv[1:] or file.stem):
            print(f"Executing {file.name}.")
            nbformat.write(execute(file), file)  # type: ignore[no-untyped-call]
