"""Other people's software on these environments; what is not installed is left out."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import wrappers
from gymnasium.wrappers import vector as vector_wrappers

from puzzle_agents.environments import ids
from puzzle_envs.observation import FORMS

IDS = ids()
ID = "ZenGarden-v0"

pytestmark = pytest.mark.filterwarnings("ignore")  # theirs


def single(form: str, **options: Any) -> Any:
    """An environment of small images and short episodes."""
    return gymnasium.make(ID, observation=form, cell_pixels=8, max_episode_steps=8, **options)


def vector(form: str, **options: Any) -> Any:
    """Three such episodes on boards of different sizes."""
    return gymnasium.make_vec(
        ID, 3, observation=form, cell_pixels=8, max_episode_steps=8, levels="rocks", **options
    )


def modules(needed: str, *names: str) -> list[Any]:
    """These modules of a client, if it is installed."""
    reason = f"needs {needed}"
    return [pytest.importorskip(name, reason=reason, exc_type=ImportError) for name in names]


# --- gymnasium ----------------------------------------------------------------------------------

LEAST, MOST = np.float32(-1), np.float32(1)
WRAPPED: list[tuple[str, Callable[[Any], Any]]] = [
    *((form, wrappers.FlattenObservation) for form in ("planes", "box", "float", "image")),
    *((form, lambda env: wrappers.FrameStackObservation(env, 3)) for form in ("planes", "box")),
    *((form, lambda env: wrappers.DtypeObservation(env, np.float32)) for form in ("box", "image")),
    ("planes", lambda env: wrappers.DelayObservation(env, 1)),
    ("float", lambda env: wrappers.RescaleObservation(env, LEAST, MOST)),
    ("flat", lambda env: wrappers.RescaleObservation(env, LEAST, MOST)),
    ("flat", wrappers.NormalizeObservation),
    ("flat", wrappers.TimeAwareObservation),
    ("image", wrappers.GrayscaleObservation),
    ("image", lambda env: wrappers.GrayscaleObservation(env, keep_dim=True)),
    ("image", lambda env: wrappers.ResizeObservation(env, (42, 42))),
    ("image", lambda env: wrappers.MaxAndSkipObservation(env, 2)),
    ("image", lambda env: wrappers.FrameStackObservation(wrappers.GrayscaleObservation(env), 4)),
]
VECTORS_WRAPPED: list[tuple[str, Callable[[Any], Any]]] = [
    ("planes", vector_wrappers.FlattenObservation),
    ("float", lambda env: vector_wrappers.RescaleObservation(env, LEAST, MOST)),
    ("image", vector_wrappers.GrayscaleObservation),
    ("image", lambda env: vector_wrappers.ResizeObservation(env, (42, 42))),
]


@pytest.mark.parametrize(("form", "wrap"), WRAPPED)
def test_gymnasium_wrappers(form: str, wrap: Callable[[Any], Any]) -> None:
    env = _wrapped(wrap, single(form))
    observation, info = env.reset(seed=0)
    assert env.observation_space.contains(observation)
    observation, *_ = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert env.observation_space.contains(observation)


@pytest.mark.parametrize(("form", "wrap"), VECTORS_WRAPPED)
def test_gymnasium_wrappers_of_vectors(form: str, wrap: Callable[[Any], Any]) -> None:
    env = _wrapped(wrap, vector(form))
    observation, _ = env.reset(seed=0)
    assert env.observation_space.contains(observation)
    assert env.observation_space.contains(env.step(env.unwrapped.sample_legal())[0])


def _wrapped(wrap: Callable[[Any], Any], env: Any) -> Any:
    try:
        return wrap(env)
    except gymnasium.error.DependencyNotInstalled as error:
        pytest.skip(str(error))


# --- arguments that clients probe with ----------------------------------------------------------

PROBES = [
    ("frameskip", ""),
    ("obs_type", ""),
    ("themes", " Did you mean 'theme'"),
    ("levl", " Did you mean 'level'"),
]


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize(("name", "near"), PROBES)
def test_an_unknown_argument_is_refused_as_python_does(id: str, name: str, near: str) -> None:
    makers: list[tuple[Any, str]] = [(gymnasium.make, "Env"), (gymnasium.make_vec, "VectorEnv")]
    for made, kind in makers:
        class_name = id.removesuffix("-v0") + kind
        words = f"{class_name}.__init__() got an unexpected keyword argument '{name}'.{near}"
        with pytest.raises(TypeError, match=rf"^{re.escape(words)}.* It takes .*level, levels, "):
            made(id, **{name: 4})


def test_what_an_environment_takes_ends_with_its_own_arguments() -> None:
    with pytest.raises(TypeError, match=r"'metrics'\. Did you mean 'metric'\? .* metric, oracle\."):
        gymnasium.make("HuaRongDao-v0", metrics="step")


# --- Stable-Baselines3 --------------------------------------------------------------------------


def _dqn(policy: str, env: Any) -> Any:
    (sb3,) = modules("the rl extra", "stable_baselines3")
    return sb3.DQN(policy, env, buffer_size=32, learning_starts=4, batch_size=4, device="cpu")


def _ppo(policy: str, env: Any) -> Any:
    (sb3,) = modules("the rl extra", "stable_baselines3")
    return sb3.PPO(policy, env, n_steps=8, batch_size=8, n_epochs=1, device="cpu")


def _maskable_ppo(policy: str, env: Any) -> Any:
    (contrib,) = modules("the rl extra", "sb3_contrib")
    return contrib.MaskablePPO(policy, env, n_steps=8, batch_size=8, n_epochs=1, device="cpu")


every_algorithm = pytest.mark.parametrize("algorithm", [_dqn, _ppo, _maskable_ppo])


@every_algorithm
@pytest.mark.parametrize("form", FORMS)
def test_stable_baselines_learns(algorithm: Callable[[str, Any], Any], form: str) -> None:
    env = single(form)
    model = algorithm("CnnPolicy" if form == "image" else "MlpPolicy", env)
    model.learn(16)
    observation, _ = env.reset(seed=0)
    assert env.action_space.contains(model.predict(observation)[0])


@every_algorithm
def test_stable_baselines_learns_from_images_of_a_vector(
    algorithm: Callable[[str, Any], Any],
) -> None:
    (learning,) = modules("the rl extra", "puzzle_agents.learning.vec_env")
    env = vector("image", autoreset_mode="SameStep")
    algorithm("CnnPolicy", learning.to_sb3(env)).learn(64)


def test_a_mask_needs_no_wrapper_and_a_wrapper_a_function() -> None:
    contrib, masking, wrapping = modules(
        "the rl extra",
        "sb3_contrib",
        "sb3_contrib.common.maskable.utils",
        "sb3_contrib.common.wrappers",
    )
    env = single("planes")
    assert masking.is_masking_supported(env)
    masked = wrapping.ActionMasker(env, lambda env: env.unwrapped.action_masks())
    for one in (env, masked):
        _, info = one.reset(seed=0)
        np.testing.assert_array_equal(masking.get_action_masks(one), info["action_mask"])
        contrib.MaskablePPO("MlpPolicy", one, n_steps=8, batch_size=8, device="cpu").learn(8)


# --- TorchRL ------------------------------------------------------------------------------------

TORCHRL = ("torchrl", "torchrl.envs", "torchrl.envs.utils")


@pytest.mark.parametrize("id", IDS)
def test_torchrl_makes_every_id(id: str) -> None:
    envs, utils = modules(*TORCHRL)
    env = envs.GymEnv(id, observation="flat")
    env.set_seed(0)
    utils.check_env_specs(env)
    shown = env.rollout(3)["observation"]
    assert shown.shape == (3, *env.observation_spec["observation"].shape)


@pytest.mark.parametrize("form", ["box", "float", "flat", "image"])
def test_torchrl_wraps_single_and_vector_environments(form: str) -> None:
    envs, utils = modules(*TORCHRL)
    for made in (single(form), vector(form, autoreset_mode="Disabled")):
        env = envs.GymWrapper(made)
        utils.check_env_specs(env)
        shown = env.rollout(20, break_when_any_done=False)
        key = "pixels" if "pixels" in shown else "observation"  # of a single image
        space = getattr(made, "single_observation_space", made.observation_space)
        assert tuple(shown[key].shape) == (*env.batch_size, 20, *space.shape)
        assert int(shown["next", "truncated"].sum()) > 0


def test_torchrl_is_told_how_a_vector_resets() -> None:
    envs, _ = modules(*TORCHRL)
    with pytest.raises(RuntimeError, match="must be one of SAME_STEP or DISABLED"):
        envs.GymWrapper(vector("box"))


def test_torchrl_masks_actions() -> None:
    envs, utils = modules(*TORCHRL)
    data, reading, torch = modules("torchrl", "torchrl.data", "torchrl.envs.gym_like", "torch")
    env = envs.GymEnv(ID, observation="flat", reward="sparse", level="rocks/3")
    mask = data.Binary(env.action_spec.n, dtype=torch.int8)
    reader = reading.default_info_dict_reader(
        ["action_mask"], spec=data.Composite(action_mask=mask)
    )
    masked = envs.TransformedEnv(env.set_info_dict_reader(reader), envs.ActionMask())
    utils.check_env_specs(masked)
    shown = masked.rollout(50, break_when_any_done=False)
    chosen = shown["action"].to(torch.int8)
    assert bool((shown["action_mask"] * chosen).sum(-1).all())


# --- RLlib --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "own"), [("flat", {}), ("float", {"conv_filters": [[8, 3, 1], [16, 3, 2]]})]
)
def test_rllib_encodes(form: str, own: dict[str, Any]) -> None:
    learned, catalogs, models, torch = modules(
        "ray[rllib]",
        "ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module",
        "ray.rllib.algorithms.ppo.ppo_catalog",
        "ray.rllib.core.rl_module.default_model_config",
        "torch",
    )
    env = single(form)
    module = learned.DefaultPPOTorchRLModule(
        observation_space=env.observation_space,
        action_space=env.action_space,
        model_config=models.DefaultModelConfig(**own),
        catalog_class=catalogs.PPOCatalog,
    )
    observation, _ = env.reset(seed=0)
    rated = module.forward_inference({"obs": torch.as_tensor(observation)[None]})
    assert rated["action_dist_inputs"].shape == (1, env.action_space.n)
