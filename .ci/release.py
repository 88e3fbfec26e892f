"""Build a release, check it, and tag it; docs/release.md says in which order and why.

python .ci/release.py check    builds and checks, and changes nothing in the checkout
python .ci/release.py tag      the same; then the changelog is dated, committed and tagged
"""

from __future__ import annotations

import datetime
import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))  # for docs.pages

CHANGELOG = ROOT / "CHANGELOG.md"
DIST = ROOT / "dist"
PACKAGES = DIST / "packages"
LARGEST_WHEEL = 6_000_000


def main(arguments: list[str]) -> int:
    """Do what the arguments ask; print a sentence and return 1 where that cannot be done."""
    from puzzle_envs import __version__

    if arguments not in (["check"], ["tag"]):
        print(__doc__)
        return 2
    is_tagging = arguments == ["tag"]
    before = CHANGELOG.read_text()
    try:
        dated = changelog_dated(before, __version__, datetime.date.today())
        if is_tagging:
            check_checkout(__version__)
            CHANGELOG.write_text(dated)
        build(__version__)
        if is_tagging:
            tag(__version__)
    except (ValueError, subprocess.CalledProcessError) as error:
        CHANGELOG.write_text(before)
        print(f"Not released: {error}", file=sys.stderr)
        return 1
    print(f"Release {__version__}: {'tagged' if is_tagging else 'checked'}; files are in dist/.")
    return 0


def changelog_dated(text: str, version: str, date: datetime.date) -> str:
    """The changelog with the date of the version's section, which has something to say."""
    head = f"## {version} (unreleased)"
    if head not in text.splitlines():
        raise ValueError(f"CHANGELOG.md has no section '{head}'; write it first.")
    section = text.partition(head)[2].partition("\n## ")[0]
    if not re.search(r"^\* ", section, re.MULTILINE):
        raise ValueError(f"The section '{head}' of CHANGELOG.md lists nothing.")
    return text.replace(head, f"## {version} ({date.isoformat()})", 1)


def check_checkout(version: str) -> None:
    """Reject a checkout with changes, and a version that is tagged already."""
    if changed := output("git", "status", "--porcelain"):
        raise ValueError(f"The checkout has changes; commit them first:\n{changed}")
    if output("git", "tag", "--list", f"v{version}"):
        raise ValueError(f"v{version} is tagged already; raise __version__ of puzzle_envs.")


def build(version: str) -> None:
    """Build and check both packages, install them everywhere, and pack the levels."""
    from docs.pages.levels import archive

    shutil.rmtree(DIST, ignore_errors=True)
    PACKAGES.mkdir(parents=True)
    run(sys.executable, "-m", "build", "--outdir", str(PACKAGES), ".")
    built = sorted(PACKAGES.iterdir())
    run(sys.executable, "-m", "twine", "check", "--strict", *map(str, built))
    for file in built:
        check_size(file)
    run("bash", ".ci/run", "wheel", "others")
    archive(DIST / f"puzzle-envs-levels-{version}.zip")
    files = sorted(file for file in DIST.rglob("*") if file.is_file())
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (DIST / "SHA256SUMS").write_text("".join(sums))


def check_size(file: Path) -> None:
    """Reject a wheel that has grown beyond the limit."""
    if file.suffix == ".whl" and (size := file.stat().st_size) > LARGEST_WHEEL:
        raise ValueError(f"{file.name} has {size:,} bytes; at most {LARGEST_WHEEL:,} are allowed.")


def tag(version: str) -> None:
    """Commit the changelog, and tag the commit."""
    run("git", "commit", "--message", f"Release {version}", "CHANGELOG.md")
    run("git", "tag", "--annotate", f"v{version}", "--message", f"puzzle-envs {version}")


def run(*command: str) -> None:
    """Run a command in the checkout; an error is raised."""
    subprocess.run(command, cwd=ROOT, check=True)


def output(*command: str) -> str:
    """What a command prints."""
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
