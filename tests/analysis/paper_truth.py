"""What analyses of a made-up study estimate, worked out from the model that makes it.

Every truth here is population-averaged: over new studies of the same shape, with other cases,
other measures and other random effects. The average over the effects, whose sum is normal, is an
integral by Gauss and Hermite's rule; the average over measures is one over `DESIGNS` drawn designs,
which leaves less than a tenth of one study's standard error.

The slopes of logistic models are those at which the model's expected score is zero: what the
pooled model converges to with ever more data. Averaging over random effects bends a logistic curve
and makes it flatter, so they are nearer to zero than `SLOPES`, here by about a third.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from tests.analysis.paper_study import (
    MEASURES,
    PAIRS,
    SKILLS,
    STUDIES,
    VARIANCE,
    Design,
    Floats,
    draw_design,
)

from deskcheck.builder.cases import ARMS, Arm
from deskcheck.oracles.programs import Language

DESIGNS = 100
NODES = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """Expected values of what is estimated; shares and differences from 0 to 1."""

    accuracy: Mapping[tuple[str, Arm], float]
    """Share of right answers among those completed, by setting and arm."""
    gain: Mapping[tuple[str, str, Arm], float]
    """What thinking adds to it, for each pair of settings and arm."""
    lost: Mapping[tuple[Language, str], float]
    """Share right on the short trace less share right on the long one, over pairs of a language.

    By which pairs: "all", "without networkx", "high" or "off".
    """
    slopes: Mapping[tuple[Language, str], Floats]
    """Log-odds of an error per doubling, jointly: of the first two of `MEASURES` ("joint"), or of
    all three ("load"), in the studies of the language with more than one origin."""


@cache
def truth() -> Truth:
    """The truths of every study of `paper_study`."""
    rng = np.random.default_rng(20_231)
    designs = [draw_design(rng) for _ in range(DESIGNS)]
    shares = np.stack([marginal(each.fixed) for each in designs])  # design, setting, case, arm
    study = designs[0].study
    settings = list(SKILLS)
    accuracy: dict[tuple[str, Arm], float] = {
        (name, arm): float(shares[:, number, :, place].mean())
        for number, name in enumerate(settings)
        for place, arm in enumerate(ARMS)
    }
    drops = shares[..., 0] - shares[..., 1]
    languages: tuple[Language, Language] = ("python", "cpp")
    lost: dict[tuple[Language, str], float] = {}
    slopes: dict[tuple[Language, str], Floats] = {}
    for language in languages:
        own = np.array([each.language == language for each in STUDIES])[study]
        several = np.array([each.origins > 1 for each in STUDIES])[study]
        lost[language, "all"] = float(drops[:, :, own].mean())
        lost[language, "without networkx"] = float(drops[:, :, own & several].mean())
        for mode in ("high", "off"):
            chosen = [number for number, name in enumerate(settings) if name.endswith(mode)]
            lost[language, mode] = float(drops[:, chosen][:, :, own].mean())
        for name, count in (("joint", 2), ("load", 3)):
            slopes[language, name] = limit(designs, shares, own & several, count)
    return Truth(
        accuracy=accuracy,
        gain={
            (high, off, arm): accuracy[high, arm] - accuracy[off, arm]
            for high, off in PAIRS
            for arm in ARMS
        },
        lost=lost,
        slopes=slopes,
    )


def marginal(fixed: Floats) -> Floats:
    """The share of right answers at these log-odds, averaged over the random effects."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    total = np.zeros_like(fixed)
    for node, weight in zip(nodes, weights / weights.sum(), strict=True):
        total += weight / (1 + np.exp(-(fixed + node * np.sqrt(VARIANCE))))
    return total


def limit(designs: list[Design], shares: Floats, own: np.ndarray, count: int) -> Floats:
    """The slopes of the first `count` measures in the pooled logistic model of errors.

    It has an intercept for each setting, arm and study; it is fitted to expected shares.
    """
    measures = np.stack([each.measures[own] for each in designs])[..., :count]
    study = designs[0].study[own]
    shape = shares[:, :, own].shape
    columns = [np.broadcast_to(measures[:, None, ..., each], shape) for each in range(count)]
    for number in range(shape[1]):
        columns.append(_indicator(number, np.arange(shape[1]), (1, -1, 1, 1), shape))
    for number in range(1, shape[3]):
        columns.append(_indicator(number, np.arange(shape[3]), (1, 1, 1, -1), shape))
    for number in np.unique(study)[1:]:
        columns.append(_indicator(int(number), study, (1, 1, -1, 1), shape))
    design = np.stack([each.ravel() for each in columns], axis=1)
    wanted = 1 - shares[:, :, own].ravel()
    slopes = np.zeros(design.shape[1])
    for _ in range(30):
        fitted = 1 / (1 + np.exp(-(design @ slopes)))
        weighted = design * (fitted * (1 - fitted))[:, None]
        step = np.linalg.solve(design.T @ weighted, design.T @ (wanted - fitted))
        slopes += step
        if np.abs(step).max() < 1e-9:
            return np.asarray(slopes[: len(MEASURES[:count])])
    raise AssertionError("the limit of the logistic model was not found")


def _indicator(
    number: int, labels: np.ndarray, place: tuple[int, ...], shape: tuple[int, ...]
) -> Floats:
    return np.broadcast_to((labels == number).astype(np.float64).reshape(place), shape)
