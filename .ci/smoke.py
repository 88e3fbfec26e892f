"""Play every registered environment of an installed puzzle-envs, as its first user would.

Run it from an empty folder with the Python of the installation: it fails where the package comes
from anywhere else, where a data file did not make it into the wheel, or where an environment
cannot be made, stepped and drawn with nothing but the required dependencies. Warnings fail too.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import subprocess
import sysconfig
import warnings
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

import puzzle_agents
import puzzle_envs

STEPS = 40
COPIES = 3


def main() -> None:
    """Check the installation, then play every environment alone and as a vector."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--read-only", action="store_true", help="check also that the installation is read-only"
    )
    arguments = parser.parse_args()
    warnings.simplefilter("error")
    check_installation(read_only=arguments.read_only)
    names = [
        name
        for name, spec in gym.registry.items()
        if str(spec.entry_point).startswith("puzzle_envs.")
    ]
    assert names, "puzzle_envs registered no environment"
    for name in names:
        play(name)
        play_vector(gym.make_vec(name, num_envs=COPIES))
        play_vector(gym.make_vec(name, num_envs=COPIES, vectorization_mode="sync"))
        print(f"  {name}: made, stepped and drawn", flush=True)
    search()
    command()


def command() -> None:
    """The command is installed, helps, solves a level, and refuses in one sentence."""
    script = Path(sysconfig.get_path("scripts")) / "puzzle-envs"
    helped = subprocess.run([script, "--help"], capture_output=True, text=True, check=True)
    assert "reproduce" in helped.stdout, helped.stdout
    solved = subprocess.run(
        [script, "solve", "HuaRongDao-v0", "classics/1"], capture_output=True, text=True, check=True
    )
    assert "solved in 81 moves (proved optimal)" in solved.stdout, solved.stdout
    refused = subprocess.run([script, "reproduce", "chess"], capture_output=True, text=True)
    assert refused.returncode == 2 and "chess" in refused.stderr, refused
    assert "Traceback" not in refused.stderr, refused.stderr
    print("  puzzle-envs: helps, solves, and refuses", flush=True)


def search() -> None:
    """A search agent solves a level, with its estimate, without any extra."""
    env = gym.make("HuaRongDao-v0", level="classics/1")
    env.reset()
    result = puzzle_agents.make("astar").solve(env)
    assert result.proved_optimal and result.moves == 81, result
    print(f"  astar: {result.moves} moves, {result.expanded} states expanded", flush=True)


def check_installation(*, read_only: bool) -> None:
    """Both packages come from site-packages, complete, in the version that pip installed."""
    site_packages = Path(sysconfig.get_path("purelib")).resolve()
    for package in (puzzle_envs, puzzle_agents):
        folder = Path(str(package.__file__)).resolve().parent
        assert folder.parent == site_packages, f"{folder} is not the installed package"
        assert (folder / "py.typed").is_file(), f"{folder} has no py.typed"
        if read_only:
            assert not writable(folder), f"{folder} can be written: this run proves nothing"
    levels = site_packages / "puzzle_envs" / "levels"
    assert any(path.is_file() for path in levels.rglob("*")), f"no level file in {levels}"
    print(f"  puzzle-envs {importlib.metadata.version('puzzle-envs')} from {site_packages}")


def writable(folder: Path) -> bool:
    """Whether a file can be made there: tried, since permission bits do not bind every user."""
    probe = folder / "probe-of-smoke"
    try:
        probe.touch()
    except OSError:
        return False
    probe.unlink()
    return True


def play(name: str) -> None:
    """Random legal actions with one environment, then both kinds of picture."""
    random = np.random.default_rng(0)
    env: gym.Env[Any, Any] = gym.make(name, render_mode="rgb_array")
    _, info = env.reset(seed=0)
    for _ in range(STEPS):
        action = int(random.choice(np.flatnonzero(info["action_mask"])))
        observation, reward, terminated, truncated, info = env.step(action)
        assert env.observation_space.contains(observation), f"{name}: {observation!r}"
        assert np.isfinite(float(reward)), f"{name}: reward {reward}"
        if terminated or truncated:
            _, info = env.reset()
    frame: Any = env.render()
    assert frame.ndim == 3, f"{name}: the picture has shape {frame.shape}"
    assert frame.dtype == np.uint8, f"{name}: the picture holds {frame.dtype}"
    assert frame.min() < frame.max(), f"{name}: the picture is empty"
    env.close()

    env = gym.make(name, render_mode="ansi")
    env.reset(seed=0)
    text: Any = env.render()
    assert isinstance(text, str), f"{name}: ansi gave {text!r}"
    assert text.strip(), f"{name}: ansi gave an empty text"
    env.close()


def play_vector(envs: gym.vector.VectorEnv[Any, Any, Any]) -> None:
    """Random legal actions with several copies; an ended one may take any action and restarts."""
    random = np.random.default_rng(0)
    _, info = envs.reset(seed=0)
    ended = np.zeros(COPIES, dtype=bool)
    for _ in range(STEPS):
        masks = info["action_mask"]
        assert masks.shape[0] == COPIES, f"{envs}: masks of shape {masks.shape}"
        assert masks.any(axis=1)[~ended].all(), f"{envs}: no legal action, yet not ended"
        actions = [int(random.choice(np.flatnonzero(mask))) if mask.any() else 0 for mask in masks]
        observations, rewards, terminated, truncated, info = envs.step(np.array(actions))
        assert envs.observation_space.contains(observations), f"{envs}: {observations!r}"
        assert np.isfinite(rewards).all(), f"{envs}: rewards {rewards}"
        ended = terminated | truncated
    envs.close()


if __name__ == "__main__":
    main()
