"""The page of a report in headless Chromium: replays, keys, both colour schemes, no network."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from puzzle_agents.benchmark.report import make_report
from tests.agents.benchmark_rows import UNSOLVED, real_rows, write_rows
from tests.browser import Browser, chromium

pytest.importorskip("matplotlib", reason="needs the bench extra")

PROGRAM = chromium()
if PROGRAM is None:
    pytest.skip("there is no Chromium here (apt-get install chromium)", allow_module_level=True)

EVIL = '<img src=x onerror="document.title=1">'


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on solutions of every puzzle, with texts that would break out if they could."""
    rows = real_rows()
    rows.append(replace(rows[0], agent=f"</script>{EVIL}", level=f"{EVIL}{{{{data}}}}"))
    rows.append(replace(rows[0], agent="b", **UNSOLVED | {"status": "error", "error": EVIL}))
    rows.append(replace(rows[0], agent="c", verified=False))
    folder = write_rows(tmp_path_factory.mktemp("results"), rows)
    make_report([folder], folder / "report")
    return folder / "report" / "report.html"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert PROGRAM is not None
    browser = Browser(PROGRAM)
    yield browser
    browser.close()


@pytest.fixture
def shown(browser: Browser, page: Path) -> Browser:
    browser.open(page)
    return browser


def quiet(browser: Browser) -> None:
    """No error, no breach of the content policy, and nothing but the file itself was asked for."""
    assert not browser.seen("Runtime.exceptionThrown", "Runtime.consoleAPICalled")
    assert not browser.seen("Log.entryAdded"), browser.seen("Log.entryAdded")
    urls = [e["params"]["request"]["url"] for e in browser.seen("Network.requestWillBeSent")]
    assert {url.partition(":")[0] for url in urls} <= {"file", "data"}
    assert sum(url.startswith("file:") for url in urls) == 1


def test_all_runs_are_listed_and_texts_stay_texts(shown: Browser) -> None:
    count = len(real_rows()) + 3
    assert shown.run("document.querySelectorAll('#rows tbody tr').length") == count
    assert shown.run("document.querySelectorAll('img:not(.plot)').length") == 0
    assert shown.run("document.title") == "Benchmark test"
    assert EVIL in shown.run("document.querySelector('#rows').textContent")
    assert shown.run("[...document.images].every((image) => image.naturalWidth > 0)")
    quiet(shown)


def test_what_is_wrong_is_flagged_and_failed_runs_say_why(shown: Browser) -> None:
    assert "1 run has faults" in shown.run("document.querySelector('.verdict').textContent")
    assert "not verified" in shown.run("document.querySelector('#rows .wrong').textContent")
    rows = "[...document.querySelectorAll('#rows tbody tr')]"
    failed = f"{rows}.find((row) => row.cells[5].textContent.startsWith('error'))"
    assert EVIL in shown.run(f"{failed}.querySelector('.why').textContent")
    assert shown.run(f"{failed}.querySelector('button')") is None


def test_filters_choose_runs(shown: Browser) -> None:
    shown.run(
        "document.getElementById('by-puzzle').value = 'Kwirk-v0';"
        "document.getElementById('by-level').value = 'EASY/3';"
        "document.getElementById('filters').dispatchEvent(new Event('input'))"
    )
    assert shown.run("document.querySelectorAll('#rows tbody tr').length") == 2
    assert shown.run("document.getElementById('shown').textContent").startswith("2 of ")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_replay_runs_to_its_solution(browser: Browser, page: Path, scheme: str) -> None:
    browser.open(page, scheme)
    background = browser.run("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, background[4:-1].split(","))) > 380) == (scheme == "light")
    buttons = browser.run("document.querySelectorAll('#rows button').length")
    assert buttons == len([row for row in real_rows() if row.solved]) + 1
    for number in range(buttons):
        browser.run(f"document.querySelectorAll('#rows button')[{number}].click()")
        last = browser.run("replay.states.length - 1")
        pictures = {
            browser.run(f"show({step}); document.querySelector('#scene').innerHTML")
            for step in range(last + 1)
        }
        assert len(pictures) == last + 1  # each state looks different
        moves = browser.run("replay.episode.moves.at(-1)")
        where = browser.run("document.getElementById('where').textContent")
        assert where.startswith(f"Step {last} of {last}") and where.endswith(f"moves {moves}")
        assert f"Solved in {moves} moves" in browser.run(
            "document.getElementById('replay-note').textContent"
        )
        browser.run("document.getElementById('close').click()")
    quiet(browser)


def test_a_replay_is_played_with_keys(shown: Browser) -> None:
    step = "replay.step"
    shown.run("document.querySelectorAll('#rows button')[3].click()")
    assert shown.run("document.activeElement.id") == "play"
    last = shown.run("replay.states.length - 1")
    for key, there in (
        ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("ArrowRight", last),
        ("Home", 0), ("ArrowLeft", 0),
    ):  # fmt: skip
        shown.press(key)
        assert shown.run(step) == there, key
    shown.run("document.getElementById('speed').value = '32'")
    shown.press(" ")
    assert shown.run("timer !== null") or shown.run(step) == last
    shown.run("new Promise((done) => { const wait = () => timer === null ? done() : "
              "setTimeout(wait, 10); wait(); })")  # fmt: skip
    assert shown.run(step) == last
    assert shown.run("document.getElementById('play').textContent") == "Play"
    shown.press("-", "-")
    assert shown.run("document.getElementById('speed').value") == "16"
    shown.run("const slider = document.getElementById('slider'); slider.value = 1;"
              "slider.dispatchEvent(new Event('input'))")  # fmt: skip
    assert shown.run(step) == 1
    shown.press("Escape")
    assert not shown.run("document.getElementById('replay').open")


def test_playing_can_be_paused(shown: Browser) -> None:
    shown.run("document.querySelectorAll('#rows button')[3].click()")
    shown.run("document.getElementById('speed').value = '1'")
    shown.press(" ")
    assert shown.run("document.getElementById('play').textContent") == "Pause"
    shown.press(" ")
    assert shown.run("timer") is None
    assert shown.run("document.getElementById('play').textContent") == "Play"
