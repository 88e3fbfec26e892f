"""What the command refuses: a table of command lines and of what is said to each.

Each is run in an empty folder. The exit code is 2 (1 where the command did what it could), stderr
holds one sentence and no traceback, stdout nothing, and no file is left behind. Names in braces
are those of FILES, which lie in another folder.
"""

from __future__ import annotations

import json
import shlex
from importlib.util import find_spec
from pathlib import Path

import gymnasium.envs.classic_control.cartpole  # noqa: F401 so that it is an imported environment
import pytest

from puzzle_agents.benchmark.row import Limits
from puzzle_agents.cli.app import NOT_AS_ASKED, WRONG_USAGE, main
from tests.agents.benchmark_rows import row

GARDEN = "....\n.#..\n...."
EPISODE = {
    "format": 1, "env": "ZenGarden-v0", "options": {}, "level": "a", "level_text": "...\n...\n",
    "actions": [0], "moves": 1, "agent": "me", "version": "0",
}  # fmt: skip


def suite(environment: str = "", budget: str = "", agents: str = "", seeds: str = "") -> str:
    """A suite with one thing that is wrong; what is empty is as it should be."""
    environment = environment or (
        'id = "ZenGarden-v0"\nlevels = ["first-steps/1"]\nagents = ["bfs"]'
    )
    budget = budget or 'seconds = 2\nmemory = "1 GiB"'
    return f"{seeds}\n[budget]\n{budget}\n[[environments]]\n{environment}\n{agents}"


def played(id: str, level: str, agent: str, more: str = "") -> str:
    return suite(f'id = "{id}"\nlevels = ["{level}"]\nagents = ["{agent}"]\n{more}')


def contender(name: str, arguments: str) -> str:
    agents = f'[agents.mine]\nname = "{name}"\narguments = {{ {arguments} }}'
    return played("ZenGarden-v0", "first-steps/1", "mine", agents)


FILES: dict[str, str | bytes | None] = {
    "folder": None, "folder.txt": None, "folder.toml": None, "folder.json": None,
    "rows-folder/rows.jsonl": None,
    "file": "x",
    "two.txt": "; name: a\n...\n...\n\n; name: b\n..\n.#\n",
    "bad.txt": "..x\n",
    "empty.txt": "",
    "utf16.txt": "...\n".encode("utf-16"),
    # --- suites
    "deep.toml": "a = " + "[" * 100_000,
    "tables.toml": "a = " + "{a = " * 100_000,
    "dotted.toml": ".".join(["a"] * 50_000) + " = 1",
    "quoted.toml": ".".join(['"a b"'] * 50_000) + " = 1",
    "section.toml": f"[{'.'.join(['a'] * 50_000)}]",
    "binary.toml": b"\xff\xfe",
    "huge.toml": " " * ((1 << 20) + 1),
    "prose.toml": "A suite.",
    "one-run.toml": suite(),
    "empty.toml": "",
    "seconds-400.toml": suite(budget=f'seconds = 1{"0" * 400}\nmemory = "1 GiB"'),
    "seconds-5000.toml": suite(budget=f'seconds = 1{"0" * 5000}\nmemory = "1 GiB"'),
    "seconds-inf.toml": suite(budget='seconds = inf\nmemory = "1 GiB"'),
    "seconds-nan.toml": suite(budget='seconds = nan\nmemory = "1 GiB"'),
    "seconds-300.toml": suite(budget='seconds = 1e300\nmemory = "1 GiB"'),
    "seconds-negative.toml": suite(budget='seconds = -1\nmemory = "1 GiB"'),
    "seconds-text.toml": suite(budget='seconds = "2"\nmemory = "1 GiB"'),
    "memory-400.toml": suite(budget=f'seconds = 2\nmemory = "{"9" * 400} GiB"'),
    "memory-large.toml": suite(budget='seconds = 2\nmemory = "9999999 GiB"'),
    "memory-small.toml": suite(budget='seconds = 2\nmemory = "1 B"'),
    "memory-number.toml": suite(budget="seconds = 2\nmemory = 5"),
    "transitions.toml": suite(budget=f'seconds = 2\nmemory = "1 GiB"\ntransitions = {10**18}'),
    "seeds-negative.toml": suite(seeds="seeds = [-1]"),
    "seeds-large.toml": suite(seeds=f"seeds = [{10**18}]"),
    "seeds-twice.toml": suite(seeds="seeds = [1, 1]"),
    "no-environment.toml": suite('levels = ["rocks"]\nagents = ["bfs"]'),
    "wrong-environment.toml": played("ZenGardn-v0", "rocks", "bfs"),
    "wrong-puzzle.toml": played("ZenGarden-v0", "rocks/1", "skyscraper-exact"),
    "irreversible.toml": played("ZenGarden-v0", "rocks/1", "frontier"),
    "large-states.toml": played("HuaRongDao-v0", "classics/1", "frontier"),
    "metric.toml": played(
        "HuaRongDao-v0", "classics/1", "hua-rong-dao-bfs-paper", 'options = { metric = "step" }'
    ),
    "by-keys.toml": played("KwirkSteps-v0", "easy/1", "kwirk-layers-astar"),
    "no-level.toml": played("ZenGarden-v0", "first-steps/99", "bfs"),
    "no-file.toml": played("ZenGarden-v0", "mine.txt", "bfs"),
    "bad-level.toml": played("ZenGarden-v0", "FOLDER/bad.txt", "bfs"),
    "small-model.toml": played("Skyscraper-v0", "test/8x8/1", "maskable-ppo"),
    "estimate.toml": contender("astar", 'estimate = "best"'),
    "weight.toml": contender("weighted-astar", "weight = inf"),
    "argument.toml": contender("astar", "weight = 2.0"),
    "seed.toml": contender("zen-ga", "seed = 1"),
    "population.toml": contender("zen-ga", f"population = {10**15}"),
    "no-model.toml": contender("maskable-ppo", 'model = "clever"'),
    # --- rows
    "rows-deep/rows.jsonl": "[" * 100_000 + "\n",
    "rows-none/rows.jsonl": "",
    "rows-prose/rows.jsonl": "hello\n",
    "rows-lacking/rows.jsonl": "{}\n",
    "rows-nan/rows.jsonl": '{"a": NaN}\n',
    "rows-digits/rows.jsonl": f'{{"a": {"9" * 5000}}}\n',
    "rows-binary/rows.jsonl": b"\xff\n",
    **{
        f"rows-{name}/rows.jsonl": f"{one.to_json()}\n"
        for name, one in {
            "one": row(),
            "suite": row(suite="other"),
            "version": row(versions={"puzzle-envs": "0.2.0"}),
            "budget": row(budget=Limits(2.0, 2**31, None)),
            "agent": row(arguments={"symmetry": False}),
            "level": row(level_text="two"),
            "twice": row(expanded=101),
        }.items()
    },
    "sweep/seed=0/config.json": json.dumps(
        {"env": "Kwirk-v0", "stages": ["train/1-3"], "validation": ["validation/1-3"]}
    ),
    "sweep-none/seed=0/config.json": "x",
    "unmarked.md": "no marks",
    "binary.md": b"\xff",
    # --- episodes
    "none.json": "{}",
    "deep.json": "[" * 100_000,
    "binary.json": b"\0\xff",
    "unsolved.json": json.dumps(EPISODE),
    "far.json": json.dumps(EPISODE | {"actions": [10**18]}),
    "digits.json": json.dumps(EPISODE | {"actions": [10**30]}),
    "environment.json": json.dumps(EPISODE | {"env": "CartPole-v1"}),
    "option.json": json.dumps(EPISODE | {"options": {"render_mode": "human"}}),
    # --- layouts
    "uncoded.csv": "a,b\n1,2\n",
    "binary.csv": b"code\n\xff\n",
    "wrong.csv": "code\n1A9BF0C00\nzz\n",
    "long.csv": 'code\n"' + "a" * 200_000 + '"\n',
}  # fmt: skip

NEEDS = {
    "bench": ("jinja2", "matplotlib"),
    "report": ("jinja2", "matplotlib"),
    "train": ("sb3_contrib",),
    "evaluate": ("sb3_contrib",),
    "maskable-ppo": ("sb3_contrib",),
    "{small-model.toml}": ("sb3_contrib",),
    "{no-model.toml}": ("sb3_contrib",),
    "film.gif": ("PIL",),
    "film.mp4": ("imageio_ffmpeg",),
}
"""Packages of extras, by words of a command line."""

REFUSED = {
    # --- the command itself
    "frog": "No such command 'frog'",
    "solv ZenGarden-v0": "Did you mean 'solve'?",
    "reproduse": "Did you mean 'reproduce'?",
    "--frog": "No such option: --frog",
    # --- list
    "list everything": "'everything' is not one of 'environments', 'levels', 'agents'",
    "list levels zengarden": "There is no environment 'zengarden'. Did you mean 'ZenGarden-v0'?",
    "list levels CartPole-v1": "'CartPole-v1' is not a puzzle environment",
    "list levels Kwirk-v0 easy": "Got unexpected extra argument",
    "list agents Chess-v0": "There is no environment 'Chess-v0'. Available",
    "list environments ''": "There is no environment ''",
    "list suites Kwirk-v0": "leave out ENV",
    "list agents --json": "--json is for levels",
    # --- show
    "show": "Missing argument 'ENV'",
    "show ''": "There is no environment ''",
    "show Chess-v0": "There is no environment 'Chess-v0'.",
    "show Kwirk-v0 easy/99": "Kwirk-v0 has no level or set 'easy/99'. Did you mean 'easy/9'",
    "show KwirkSteps-v0 easi": "KwirkSteps-v0 has no level or set 'easi'. Did you mean 'easy'?",
    "show Kwirk-v0 easy": "'easy' holds 12 levels; name one, such as 'easy/1'.",
    "show Kwirk-v0 mine.txt": "There is no level file mine.txt.",
    "show Kwirk-v0 mine.txt/1": "There is no level file mine.txt.",
    "show Kwirk-v0 {folder.txt}": "folder.txt",
    "show ZenGarden-v0 {bad.txt}": "bad.txt:1:3: 'x' is not part of a garden",
    "show ZenGarden-v0 {empty.txt}": "There is no level here",
    "show ZenGarden-v0 {utf16.txt}": "utf16.txt",
    "show ZenGarden-v0 {two.txt}": "holds 2 levels; name one",
    "show ZenGarden-v0 {two.txt}/c": "There is no level 'c' in",
    "show ZenGarden-v0 ''": "ZenGarden-v0 has no level or set ''",
    "show ZenGarden-v0 --option metric=step": "has no argument 'metric'. It has none.",
    "show ZenGarden-v0 --option level=rocks": "has no argument 'level'",
    "show HuaRongDao-v0 --option metrik=step": "Did you mean 'metric'?",
    "show HuaRongDao-v0 --option metric=leap": "metric must be one of move, straight, step",
    "show HuaRongDao-v0 --option metric=": "metric must be one of move, straight, step",
    "show HuaRongDao-v0 --option oracle=1": "must be true or false, not '1'",
    "show HuaRongDao-v0 --option =": "has no argument ''",
    "show HuaRongDao-v0 --option metric=step --option metric=move": "is given twice",
    "show Skyscraper-v0 --option mask=frog": "mask must be one of writes, consistent, empty",
    "show Kwirk-v0 --option keys=true": "has no argument 'keys'. It has none.",
    "solve KwirkSteps-v0 --option keys=false": "has no argument 'keys'",
    "show Kwirk-v0 --picture floor.jpg": "write --picture floor.png",
    "show Kwirk-v0 --picture no/floor.png": "There is no folder no;",
    "show Kwirk-v0 --picture .": ". is a folder; --picture takes a file",
    "show Kwirk-v0 --picture /dev/null": "/dev/null is not a regular file; --picture takes a file",
    "show Kwirk-v0 --picture f.png --cell-pixels 2": "greater than or equal to 4",
    "show Kwirk-v0 --cell-pixels 1000": "less than or equal to 512",
    "show Kwirk-v0 --cell-pixels 10.5": "a valid integer",
    f"show Kwirk-v0 --cell-pixels {10**30}": "less than or equal to 512",
    "show Kwirk-v0 --cell 20": "No such option: --cell (Possible options: --cell-pixels",
    "show Kwirk-v0 --theme sepia": "theme must be one of light, dark, not 'sepia'",
    # --- solve
    "solve": "Missing argument 'ENV'",
    "solve ZenGarden": "Did you mean 'ZenGarden-v0'?",
    "solve ZenGarden-v0 rock/1": "ZenGarden-v0 has no level or set 'rock/1'",
    "solve ZenGarden-v0 rocks": "or solve them all with --all-levels.",
    "solve ZenGarden-v0 rocks/1 rocks/2": "Got unexpected extra argument",
    "solve ZenGarden-v0 --all-levels rock": "Did you mean 'rocks'?",
    "solve ZenGarden-v0 --all-levels ''": "has no level or set ''",
    "solve ZenGarden-v0 --all-levels {bad.txt}": "bad.txt:1:3",
    "solve ZenGarden-v0 rocks/1 --all-levels rocks": "do not also give LEVEL",
    "solve ZenGarden-v0 --all-levels rocks --save e.json": "do not also give --save",
    "solve ZenGarden-v0 --agent a-star": "There is no agent 'a-star'. Did you mean 'astar'?",
    "solve ZenGarden-v0 --agent ZenGarden-v0": "'ZenGarden-v0'. Available: random",
    "solve ZenGarden-v0 --agent ''": "There is no agent ''",
    "solve Kwirk-v0 --agent zen-ga": "zen-ga solves Zen Puzzle Garden only, not Kwirk",
    "solve Kwirk-v0 --agent zen-astar-paper": "solves Zen Puzzle Garden only",
    "solve Kwirk-v0 --agent skyscraper-exact": "solves Skyscraper only, not Kwirk",
    "solve Kwirk-v0 --agent skyscraper-ga-paper": "solves Skyscraper only, not Kwirk",
    "solve Kwirk-v0 --agent hua-rong-dao-bfs": "solves Hua Rong Dao only, not Kwirk",
    "solve KwirkSteps-v0 --agent kwirk-bfs-paper": "solves Kwirk by pushes only",
    "solve ZenGarden-v0 --agent bidirectional": "needs reversible moves",
    "solve HuaRongDao-v0 classics/1 --agent frontier": "keeps states of one word",
    "solve HuaRongDao-v0 --agent hua-rong-dao-bfs-paper --option metric=step": 'metric="move" only',
    "solve ZenGarden-v0 --all-levels large --agent skyscraper-ga": "solves Skyscraper only",
    "solve Skyscraper-v0 9x9/easy-1 --agent maskable-ppo": "on boards of 9 by 9",
    "solve ZenGarden-v0 --agent maskable-ppo --argument model=clever": "'clever' is neither",
    "solve ZenGarden-v0 --agent maskable-ppo --argument model={none.json}": "not a readable model",
    "solve ZenGarden-v0 --agent maskable-ppo --argument mode=frog": "mode must be one of sample",
    "solve ZenGarden-v0 --agent maskable-ppo --argument width=0": "width must be from 1",
    "solve ZenGarden-v0 --agent maskable-ppo --argument hottest=inf": "a number or none, not",
    "solve ZenGarden-v0 --agent random --argument seed=-1": "must be at least 0, not -1",
    "solve ZenGarden-v0 --agent zen-ga --argument population=0": "population must be at least 1",
    f"solve ZenGarden-v0 --agent zen-ga --argument population={10**12}": "population must be",
    f"solve ZenGarden-v0 --agent zen-ga --argument population={10**40}": "at most 1,000,000,000",
    "solve ZenGarden-v0 --agent zen-ga --argument crossover_rate=2": "from 0 to 1",
    "solve Skyscraper-v0 --agent skyscraper-ga --argument hot=inf": "must be a number, not 'inf'",
    "solve Skyscraper-v0 --agent skyscraper-ga-paper --argument mutation=2": "from 0 to 1",
    "solve ZenGarden-v0 --argument weight=2": "'astar' has no argument 'weight'.",
    "solve ZenGarden-v0 --argument symmetry": "write symmetry=VALUE",
    "solve ZenGarden-v0 --argument symmetry=maybe": "must be true or false, not 'maybe'",
    "solve ZenGarden-v0 --argument estimate=best": "has no estimate 'best'; it has",
    "solve ZenGarden-v0 --argument budget=2": "'astar' has no argument 'budget'",
    "solve ZenGarden-v0 --agent beam --argument width=0": "width must be at least 1",
    "solve ZenGarden-v0 --agent beam --argument width=1.5": "must be an integer, not '1.5'",
    "solve ZenGarden-v0 --agent weighted-astar --argument weight=0": "from 1 to 10",
    "solve ZenGarden-v0 --agent weighted-astar --argument weight=nan": "must be a number",
    "solve ZenGarden-v0 --agent idastar --argument table=frog": "Memory is written like '2 GiB'",
    "solve ZenGarden-v0 --agent idastar --argument table=-1": "Memory in bytes must be from 0",
    "solve ZenGarden-v0 --seconds -1": "more than 0 seconds, not -1.0",
    "solve ZenGarden-v0 --seconds nan": "seconds must be a finite number, not nan",
    "solve ZenGarden-v0 --seconds frog": "a valid number",
    "solve ZenGarden-v0 --expansions 0": "at least 1 expansion, not 0",
    f"solve ZenGarden-v0 --expansions {10**30}": "less than or equal to",
    "solve ZenGarden-v0 --memory lots": "Memory is written like '2 GiB'",
    "solve ZenGarden-v0 --memory '1 B'": "at least 1 MiB of memory",
    f"solve ZenGarden-v0 --memory '{'9' * 400} GiB'": "is more memory than exists",
    "solve ZenGarden-v0 --save .": ". is a folder; --save takes a file",
    "solve ZenGarden-v0 --save ''": "is a folder; --save takes a file",
    "solve ZenGarden-v0 --save no/e.json": "There is no folder no;",
    "solve ZenGarden-v0 --save /dev/full": "/dev/full is not a regular file; --save takes a file",
    # --- play
    "play": "Missing argument 'ENV'",
    "play Chess-v0": "There is no environment 'Chess-v0'",
    "play Kwirk-v0 easy 3": "Got unexpected extra argument",
    "play Kwirk-v0 easi": "Did you mean 'easy'?",
    "play Kwirk-v0 --level easi": "Did you mean 'easy'?",
    "play ZenGarden-v0 --level {bad.txt}": "bad.txt:1:3",
    "play Kwirk-v0 --hints frog": "There is no agent 'frog'",
    "play Kwirk-v0 --hints zen-ga": "zen-ga solves Zen Puzzle Garden only, not Kwirk",
    "play Kwirk-v0 --option metric=step": "has no argument 'metric'",
    "play Kwirk-v0 --save .": ". is a folder; --save takes a file",
    "play Kwirk-v0 --save no/x.json": "There is no folder no;",
    "play Kwirk-v0 --progress .": ". is a folder; --progress takes a file",
    "play Kwirk-v0 --progress {file}/x": "file; create it, or name another with --progress",
    "play Kwirk-v0 --progress /dev/null": "/dev/null is not a regular file; --progress",
    "play Kwirk-v0 --theme sepia": "theme must be one of light, dark",
    # --- watch
    "watch": "Missing argument 'ENV [LEVEL]",
    "watch Chess-v0": "There is no environment 'Chess-v0'",
    "watch Kwirk-v0 easy": "'easy' holds 12 levels",
    "watch Kwirk-v0 easy/1 easy/2": "Give an id and one level, not 2 levels",
    "watch Kwirk-v0 --agent bfs --agent frog": "There is no agent 'frog'",
    "watch Kwirk-v0 --agent bfs --agent zen-ga": "zen-ga solves Zen Puzzle Garden only",
    f"watch Kwirk-v0{' --agent bfs' * 7}": "At most 6 panes fit into a window, not 7",
    "watch Kwirk-v0 --seconds 0": "more than 0 seconds",
    "watch Kwirk-v0 --memory lots": "Memory is written like '2 GiB'",
    "watch Kwirk-v0 --theme sepia": "theme must be one of light, dark",
    "watch Kwirk-v0 --option x=y": "has no argument 'x'",
    "watch none.json": "There is no episode file none.json",
    "watch {none.json}": "'format' is not 1",
    "watch {deep.json}": "nested more than 50 deep",
    "watch {binary.json}": "It is not text in UTF-8",
    "watch {folder.json}": "folder.json is a folder",
    "watch {unsolved.json}": "After all actions 'a' is not solved",
    "watch {far.json}": f"Action 1 is {10**18}, and 'a' has 13 actions",
    "watch {digits.json}": "is too large",
    "watch {environment.json}": "'CartPole-v1' is not a puzzle environment",
    "watch {option.json}": "has no argument 'render_mode'",
    "watch {unsolved.json} Kwirk-v0": "either episodes (FILE.json) or an id and a level",
    "watch {unsolved.json} --agent bfs": "leave out --agent and --option",
    # --- record
    "record": "Missing argument",
    "record ZenGarden-v0": "Give an output",
    "record ZenGarden-v0 --output film.avi": "not a supported output",
    "record ZenGarden-v0 --output nowhere/film.gif": "There is no folder nowhere",
    "record ZenGarden-v0 --output {folder}": "already exists; name a new folder",
    "record ZenGarden-v0 --output film.gif --theme sepia": "theme must be one of light, dark",
    "record ZenGarden-v0 --output film.gif --frames-per-second 99": "at most 50",
    "record ZenGarden-v0 --output film --frames-per-second 0": "0.0 frames per second",
    "record ZenGarden-v0 --output film --frames-per-second nan": "nan frames per second",
    "record ZenGarden-v0 --output film --frames-per-second inf": "inf frames per second",
    "record ZenGarden-v0 --output film --frames-per-second 1e12": "at most 240",
    "record ZenGarden-v0 --output film --frames-per-step 0": "greater than or equal to 1",
    f"record ZenGarden-v0 --output film --frames-per-step {10**9}": "less than or equal to 1000",
    "record ZenGarden-v0 --output film --cell 20": "Possible options: --cell-pixels",
    "record ZenGarden-v0 --output film --cell-pixels 3": "greater than or equal to 4",
    "record none.json --output film": "There is no episode file none.json",
    "record none.json --output film --agent bfs": "is a saved episode",
    "record {none.json} --output film": "'format' is not 1",
    "record {deep.json} --output film": "nested more than 50 deep",
    "record {unsolved.json} --output film": "is not solved",
    "record ZenGardn-v0 --output film": "Did you mean 'ZenGarden-v0'?",
    "record Kwirk-v0 easy --output film": "'easy' holds 12 levels",
    "record Kwirk-v0 --agent zen-ga --output film": "solves Zen Puzzle Garden only",
    "record Kwirk-v0 --seconds nan --output film": "seconds must be a finite number",
    "record Kwirk-v0 --argument a --output film": "write a=VALUE",
    # --- generate
    "generate": "Missing argument 'ENV'",
    "generate ZenGarden": "Did you mean 'ZenGarden-v0'?",
    "generate ZenGarden-v0 --bin 9x9": "has no levels '9x9'; it has 4x4, 5x5, 6x6, 8x8, 10x10,",
    "generate ZenGarden-v0 --bin ''": "has no levels ''",
    "generate ZenGarden-v0 --count 0": "Invalid value for '--count'",
    f"generate ZenGarden-v0 --count {10**30}": "Invalid value for '--count'",
    "generate ZenGarden-v0 --seed -1": "Invalid value for '--seed'",
    "generate ZenGarden-v0 --output gardens": "write --output gardens.txt.",
    "generate ZenGarden-v0 --output no/gardens.txt": "There is no folder no;",
    "generate ZenGarden-v0 --output .": ". is a folder; --output takes a file",
    "generate ZenGarden-v0 --output {folder.txt}": "is a folder; --output takes a file",
    # --- bench
    "bench": "Missing argument 'SUITE'",
    "bench quik": "There is no suite 'quik'. Did you mean 'quick'?",
    "bench ''": "There is no suite ''",
    "bench none.toml": "There is no file none.toml",
    "bench {folder.toml}": "folder.toml is a folder",
    "bench {empty.toml}": "The key 'budget' is missing",
    "bench {prose.toml}": "It is not TOML",
    "bench {deep.toml}": "nested more than 50 deep",
    "bench {tables.toml}": "nested more than 50 deep",
    "bench {dotted.toml}": "A key has more than 20 parts",
    "bench {quoted.toml}": "A key has more than 20 parts",
    "bench {section.toml}": "A key has more than 20 parts",
    "bench {binary.toml}": "It is not text in UTF-8",
    "bench {huge.toml}": "It is larger than 1 MiB",
    "bench {seconds-400.toml}": "too large",
    "bench {seconds-5000.toml}": "A number has too many digits",
    "bench {seconds-inf.toml}": "'budget.seconds' must be a number from 0 to 10,000,000, not inf",
    "bench {seconds-nan.toml}": "'budget.seconds' must be a number from 0 to 10,000,000, not nan",
    "bench {seconds-300.toml}": "must be a number from 0 to 10,000,000, not 1e+300",
    "bench {seconds-negative.toml}": "'budget.seconds' must be a number from 0",
    "bench {seconds-text.toml}": "'budget.seconds' must be a number from 0 to 10,000,000, not '2'",
    "bench {memory-400.toml}": "is more memory than exists",
    "bench {memory-large.toml}": "budget: '9999999 GiB' is more memory",
    "bench {memory-small.toml}": "budget: A budget must have at least 1 MiB",
    "bench {memory-number.toml}": "'budget.memory' must be a string of 1 to 1,000 characters",
    "bench {transitions.toml}": "'budget.transitions' must be an integer from 1 to",
    "bench {seeds-negative.toml}": "'seeds[1]' must be an integer from 0 to 4,294,967,295, not -1",
    "bench {seeds-large.toml}": "'seeds[1]' must be an integer from 0 to 4,294,967,295",
    "bench {seeds-twice.toml}": "seeds: 1 is listed twice",
    "bench {no-environment.toml}": "The key 'id' is missing in 'environments[1]'",
    "bench {wrong-environment.toml}": "Did you mean 'ZenGarden-v0'?",
    "bench {wrong-puzzle.toml}": "environments[1].agents: 'skyscraper-exact' does not play Zen",
    "bench {irreversible.toml}": "environments[1].agents: 'frontier' does not play ZenGarden-v0",
    "bench {large-states.toml}": "'frontier' does not play 'classics/1': frontier keeps states",
    "bench {metric.toml}": 'in the box of 4 by 5 with metric="move" only',
    "bench {by-keys.toml}": "'kwirk-layers-astar' does not play KwirkSteps-v0",
    "bench {no-level.toml}": "environments[1].levels: ZenGarden-v0 has no level or set",
    "bench {no-file.toml}": "environments[1].levels: There is no level file mine.txt",
    "bench {bad-level.toml}": "environments[1].levels: ",
    "bench {small-model.toml}": "'maskable-ppo' does not play 'test/8x8/1': No pretrained model",
    "bench {estimate.toml}": "'mine' does not play 'first-steps/1': Zen Puzzle Garden has no est",
    "bench {weight.toml}": "'agents.mine.arguments.weight' must be a number, not inf",
    "bench {argument.toml}": "There is no key 'weight' in 'agents.mine.arguments'",
    "bench {seed.toml}": "There is no key 'seed' in 'agents.mine.arguments'",
    "bench {population.toml}": "agents.mine: population must be at most",
    "bench {no-model.toml}": "agents.mine: 'clever' is neither the folder of a run",
    "bench quick --jobs 0": "--jobs",
    f"bench quick --jobs {10**12}": "--jobs",
    "bench quick --engine frog": "'frog' is not one of 'local', 'ray'",
    "bench quick --shard": "--shard",
    "bench quick --shard 3": "A shard is K/N, part K of N, such as 3/10, with N at most 10,000;",
    "bench quick --shard 0/4": "not '0/4'",
    "bench quick --shard 5/4": "not '5/4'",
    "bench quick --shard 1/0": "not '1/0'",
    "bench quick --shard 1/-2": "not '1/-2'",
    "bench quick --shard 1/20000": "not '1/20000'",
    f"bench quick --shard {'9' * 5000}/2": "not '99999",
    "bench {one-run.toml} --shard 2/2": "more parts than the suite has runs (1)",
    "bench quick --output {file}": "file cannot be created",
    "bench quick --output {file}/x": "cannot be created",
    # --- report
    "report": "Missing argument 'FOLDER...'",
    "report nowhere": "nowhere has no rows.jsonl",
    "report {file}": "has no rows.jsonl",
    "report {rows-folder}": "has no rows.jsonl",
    "report {rows-none}": "has no rows yet",
    "report {rows-deep}": "rows.jsonl:1: It is nested more than 50 deep",
    "report {rows-prose}": "rows.jsonl:1: It is not JSON",
    "report {rows-lacking}": "rows.jsonl:1: The key 'suite' is missing",
    "report {rows-nan}": "rows.jsonl:1: NaN is not a number",
    "report {rows-digits}": "is too large",
    "report {rows-binary}": "rows.jsonl:1: It is not text in UTF-8",
    "report {rows-one} {rows-one}": "A report on several folders needs --output",
    "report {rows-one} nowhere --output x": "nowhere has no rows.jsonl",
    "report {rows-one} {rows-suite} --output x": "not parts of one benchmark: the suite is test",
    "report {rows-one} {rows-version} --output x": "the version of puzzle-envs is 0.1.0 in one and",
    "report {rows-one} {rows-budget} --output x": "the budget is 10.0 s and 2,147,483,648 bytes in",
    "report {rows-one} {rows-agent} --output x": "the agent astar is astar {} in one and",
    "report {rows-one} {rows-level} --output x": "the level set/1 of ZenGarden-v0 is one in one",
    "report {rows-one} {rows-twice} --output x": "both have the run of astar on set/1, with diff",
    "report {rows-none} --document nowhere.md": "nowhere.md cannot be read",
    "report {rows-none} --document {unmarked.md}": "Tables go between the lines",
    "report {rows-none} --document {binary.md}": "binary.md: It is not text in UTF-8",
    "report {rows-none} --document .": "Is a directory",
    # --- submit
    "submit ZenGarden-v0 first-steps/1": "Missing argument",
    "submit ZenGardn-v0 first-steps/1 '0 2 1'": "There is no environment",
    "submit ZenGarden-v0 first-steps/99 '0 2 1'": "no level or set",
    "submit ZenGarden-v0 first-steps '0 2 1'": "holds",
    "submit ZenGarden-v0 first-steps/1 '0 x 1'": "Action 2 is 'x', not a number",
    "submit ZenGarden-v0 first-steps/1 '0 -2 1'": "Action 2 is '-2', not a number",
    "submit ZenGarden-v0 first-steps/1 ''": "A solution is an episode file",
    "submit ZenGarden-v0 first-steps/1 '0 999'": "Action 2 is 999, and",
    "submit ZenGarden-v0 first-steps/1 '0 2'": "does not solve",
    "submit ZenGarden-v0 first-steps/1 '0 0'": "is illegal",
    "submit ZenGarden-v0 first-steps/1 '0 2 1 1'": "is already solved before action 4",
    "submit ZenGarden-v0 first-steps/1 no-such.json": "There is no episode file no-such.json",
    "submit ZenGarden-v0 first-steps/1 {folder.json}": "is a folder, not an episode",
    "submit ZenGarden-v0 first-steps/1 '0 2 1' --by ''": "--by takes a name",
    "submit ZenGarden-v0 first-steps/1 '0 2 1' --option a=1": "has no argument 'a'",
    "submit ZenGarden-v0 first-steps/1 '0 2 1' --records {file}": "create it",
    # --- improve
    "improve": "Missing argument",
    "improve no-such.json": "There is no episode file no-such.json",
    "improve {folder}": "is a folder, not an episode",
    "improve no-such.json --seed -1": "Invalid value for '--seed'",
    "improve no-such.json --seconds 0": "more than 0 seconds",
    # --- reproduce
    "reproduce": "Missing argument 'paper'",
    "reproduce chess": "'chess' is not one of 'zen-garden', 'hua-rong-dao'",
    "reproduce kwirk --runs 0": "Invalid value for '--runs'",
    "reproduce kwirk --seed -1": "Invalid value for '--seed'",
    "reproduce kwirk --workers 0": "Invalid value for '--workers'",
    "reproduce kwirk --levels no-such": "'no-such' does not exist",
    "reproduce kwirk --levels {folder}": "has none of the puzzles",
    "reproduce kwirk --fast": "--fast",
    "reproduce kwirk --output {file}": "file cannot be created",
    "reproduce zen-garden --levels .": "leave out --levels",
    "reproduce hua-rong-dao --levels {folder}": "Is a directory",
    "reproduce hua-rong-dao --levels {uncoded.csv}": "has no column 'code'",
    "reproduce hua-rong-dao --levels {binary.csv}": "binary.csv: It is not text in UTF-8",
    "reproduce hua-rong-dao --levels {wrong.csv}": "wrong.csv, row 2: HuaRongDao-v0 has no level",
    "reproduce hua-rong-dao --levels {long.csv}": "This is not CSV",
    # --- export
    "export": "Missing argument 'ENV'",
    "export Chess-v0": "There is no environment 'Chess-v0'",
    "export Skyscraper-v0": "Skyscraper has no translation for planners",
    "export ZenGarden-v0 --format prolog": "'prolog' is not one of 'sas', 'pddl'",
    "export ZenGarden-v0 --output {folder}": "is a folder; --output takes a file",
    "export ZenGarden-v0 --output no/x.sas": "There is no folder no",
    "export ZenGarden-v0 --plan nowhere": "nowhere",
    "export ZenGarden-v0 --plan {file} --output x": "do not also give --output",
    "export ZenGarden-v0 --plan {binary.csv}": "It is not text in UTF-8",
    "export ZenGarden-v0 --plan {uncoded.csv}": "Line 1 is not an operator in brackets",
    # --- train and evaluate
    "train": "Give an environment or a preset",
    "train Chess-v0": "There is no environment 'Chess-v0'",
    "train ZenGarden-v0": "Give --levels and --validation",
    "train zen-garden-4x4 --steps 0": "--steps",
    "train zen-garden-4x4 --seed -1": "--seed",
    "train zen-garden-4x4 --algo frog": "There is no algorithm 'frog'",
    "train zen-garden-4x4 --resume here": "leave out ENV and all options",
    "train --resume nowhere": "nowhere",
    "train --resume here --seeds 0,1": "leave out ENV and all options",
    "train --resume here --jobs 2": "leave out ENV and all options",
    "train kwirk --seeds": "--seeds",
    "train kwirk --seeds 0,,1": "whole numbers from 0 to 4294967295, such as 0,1,2, not ''",
    "train kwirk --seeds 0-4": "not '0-4'",
    "train kwirk --seeds -1": "not '-1'",
    "train kwirk --seeds 4294967296": "not '4294967296'",
    f"train kwirk --seeds {'9' * 5000}": "not '999",
    "train kwirk --seeds 1,2,1": "The seed 1 is given twice",
    "train kwirk --seeds 1 --seed 1": "leave out --seed",
    "train kwirk --set steps=5,6 --steps 5": "--set gives the number of steps; leave out --steps",
    "train kwirk --set n_steps": "'n_steps' sets nothing; write key=value or key=value,value",
    "train kwirk --set n_steps=": "'n_steps=' sets nothing",
    "train kwirk --set n_steps=32,32": "The n_steps 32 is given twice",
    "train kwirk --set n_steps=32,": "'n_steps' cannot be set to ''",
    "train kwirk --set n_steps=32 --set n-steps=64": "'n_steps' is set twice",
    "train kwirk --set n_stepz=32": "no setting 'n_stepz'. Did you mean 'n_steps'?",
    "train kwirk --set env=Kwirk-v0": "There is no setting 'env'",
    "train kwirk --set seed=1": "There is no setting 'seed'",
    "train kwirk --set n_steps=32,many": "The argument 'n_steps' of maskable-ppo cannot be 'many'",
    "train kwirk --set n_steps=0": "The argument 'n_steps' of maskable-ppo cannot be 0",
    f"train kwirk --set n_steps={'9' * 5000}": "'n_steps' cannot be set to '9999",
    "train kwirk --set learning_rate=NaN": "The argument 'learning_rate' of maskable-ppo cannot be",
    "train kwirk --set batch_size=[1]": "'batch_size' cannot be set to '[1]'",
    "train kwirk --set envs=0": "'envs' must be an integer from 1 to 65,536, not 0",
    "train kwirk --set reward=gold": "'reward' must be one of moves, sparse",
    "train kwirk --set reward=../x": "'reward' cannot be set to '../x'",
    f"train kwirk --seeds {','.join(map(str, range(1001)))}": "These are 1,001 runs; a sweep has",
    "train kwirk --seeds 0 --output {file}": "file cannot be created",
    "train kwirk --seeds 0 --output {sweep}": "sweep/seed=0 holds a run of another configuration",
    "train kwirk --seeds 0 --output {sweep-none}": "is not a run configuration: It is not JSON",
    "train kwirk --seeds 0 --engine frog": "'frog' is not one of 'local', 'ray'",
    "train kwirk --seeds 0 --jobs 0": "--jobs",
    "train kwirk --jobs 2": "--jobs and --engine need a sweep; also give --seeds or --set",
    "train kwirk --engine local": "--jobs and --engine need a sweep",
    "evaluate": "Missing argument 'MODEL...'",
    "evaluate clever --levels test/4x4": "'clever' is neither the folder of a run nor",
    "evaluate zen-garden-4x4": "Missing option '--levels'",
    "evaluate zen-garden-4x4 --levels frog": "ZenGarden-v0 has no level or set 'frog'",
    "evaluate zen-garden-4x4 --levels test/4x4 --samples 0": "--samples",
    "evaluate zen-garden-4x4 kwirk-10-19 --levels test/4x4": "play different puzzles",
}

NOT_DONE = {
    "record ZenGarden-v0 rocks/24 --output film": "film not written: no solution was found",
}
"""Exit code 1."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where FILES are."""
    made = tmp_path_factory.mktemp("files")
    for name, data in FILES.items():
        path = made / name
        path.parent.mkdir(exist_ok=True, parents=True)
        if data is None:
            path.mkdir()
        else:
            text = data.replace("FOLDER", made.as_posix()) if isinstance(data, str) else data
            path.write_bytes(text.encode() if isinstance(text, str) else text)
    return made


@pytest.mark.parametrize(
    ("line", "words", "code"),
    [(line, words, WRONG_USAGE) for line, words in REFUSED.items()]
    + [(line, words, NOT_AS_ASKED) for line, words in NOT_DONE.items()],
)
def test_what_is_refused(
    line: str,
    words: str,
    code: int,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for word, packages in NEEDS.items():
        if word in line:
            for package in packages:
                if find_spec(package) is None:
                    pytest.skip(f"needs {package}")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PUZZLE_ENVS_PROGRESS", str(folder / "progress.json"))
    given = [part.replace("{", f"{folder}/").replace("}", "") for part in shlex.split(line)]
    before = sorted(folder.rglob("*"))
    assert main(given) == code
    shown = capsys.readouterr()
    said = [one for one in shown.err.splitlines() if not one.startswith("puzzle-envs: compiling")]
    assert len(said) == 1 and said[0][-1] in ".?!", shown.err
    assert words in said[0] and "Traceback" not in said[0]
    assert shown.out == ""
    assert not list(tmp_path.iterdir()) and sorted(folder.rglob("*")) == before


def test_the_table_is_as_long_as_it_should_be() -> None:
    commands = {line.split()[0] for line in REFUSED}
    assert {"list", "show", "solve", "play", "watch", "record", "generate", "bench", "report",
            "reproduce", "train", "evaluate", "export"} <= commands  # fmt: skip
    assert len(REFUSED) >= 200
