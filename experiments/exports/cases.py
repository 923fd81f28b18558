# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Which pipelines are compared, on which data."""

import pathlib
from dataclasses import dataclass, field


@dataclass
class Case:
    name: str
    pipeline: str
    data: list = field(default_factory=list)
    settings: list = field(default_factory=list)

    def arguments(self):
        """Return what both `run` and `export` take."""
        words = [self.pipeline]
        for path in self.data:
            words += ["--data", path]
        for setting in self.settings:
            words += ["--set", setting]
        return words


def is_refusal(problem):
    """Whether the export said that the target cannot do this pipeline."""
    problem = " ".join(problem.split())
    words = ("cannot express it", "has no operation that does", "no network for boxes")
    return any(word in problem for word in words)


EXAMPLES = [
    "classification",
    "cats-vs-dogs",
    "super-resolution",
    "deblurring",
    "segmentation",
    "detection",
]


def real_cases(folder):
    """Return the examples for which real data is available."""
    found = []

    def add(name, pipeline, data, settings=()):
        paths = [str(folder / part) for part in data]
        if all(pathlib.Path(path).exists() for path in paths):
            found.append(Case(name, pipeline, paths, list(settings)))

    add("photos", "classification", ["photos_imagenet"])
    add("CC0 photos", "classification", ["photos_cc0"])
    add("photos affine", "cats-vs-dogs", ["photos_cc0"])
    add("EXIF", "classification", ["exif_orientation"])
    pairs = sorted((folder / "sr_pairs").glob("*"))
    for pair in pairs:
        add(f"pairs {pair.name}", "super-resolution", [pair.relative_to(folder)])
    add(
        "CamVid",
        "segmentation",
        ["seg_camvid/images", "seg_camvid/labels"],
    )
    return found


def all_cases(data):
    cases = [Case(f"{name}, generated", name) for name in EXAMPLES]
    if data:
        cases += real_cases(pathlib.Path(data))
    return cases
