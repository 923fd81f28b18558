# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""Whether an installed wheel works: its own library and program, a resume, searches, DLPack."""

import os
from pathlib import Path

import numpy as np

import millrace
from millrace._job import program_path

assert Path(millrace.__file__).with_name("libmillrace.so").exists(), "the library is not inside"
NODES = ("synthetic", "shuffle", "workers", "batch", "drain")
PIPELINE = {
    "format_version": 1,
    "nodes": [{"id": kind, "kind": kind, "params": {}} for kind in NODES],
    "wires": [{"from": a, "to": b} for a, b in zip(NODES, NODES[1:])],
}
with millrace.Loader(PIPELINE, overrides={"synthetic.count": 100, "batch.size": 8}) as loader:
    batches = iter(loader)
    next(batches)
    state = loader.state_dict()
    rest = [np.array(batch["features"]) for batch in batches]
    loader.load_state_dict(state)
    again = [np.array(batch["features"]) for batch in loader]
    assert len(rest) == len(loader) - 1 and all(map(np.array_equal, rest, again))
assert Path(program_path(None)).parent == Path(millrace.__file__).parent, "the program is not inside"
short = {"settings": {"synthetic.count": 100}, "seconds": 0.2, "warmup": 0, "store": False}
swept = millrace.sweep(PIPELINE, {"workers.count": [1, 2]}, repeats=1, **short)
assert {trial.state for trial in swept.trials} == {"measured"}, swept
tuned = millrace.tune(PIPELINE, budget=5, **short)
assert tuned.trials > 0 and tuned.document is not None, tuned
os.environ["MILLRACE_BACKEND"] = "emulated"
with millrace.Loader(PIPELINE, device="cuda") as loader:
    features = next(iter(loader))["features"]
    assert np.array_equal(np.from_dlpack(features), features.numpy())
print(f"millrace {millrace.engine_version()} works, with NumPy {np.__version__}")
