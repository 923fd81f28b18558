# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: list_files looks_like source
import os

# Usual endings of the names of inputs and targets.
USUAL_SUFFIXES = (
    ("_LR", "_HR"),
    ("_lr", "_hr"),
    ("_input", "_target"),
    ("_blur", "_sharp"),
    ("_noisy", "_clean"),
    ("_image", "_mask"),
    ("_img", "_mask"),
    ("_sat", "_mask"),
    ("", "_mask"),
    ("", "_label"),
)


def pair_key(path, suffix):
    """The part that a name shares with its partner's; None without the suffix."""
    stem = os.path.splitext(path)[0]
    if not suffix:
        return stem
    for name in (stem, path):
        if len(name) > len(suffix) and name.endswith(suffix):
            return name[: -len(suffix)]
    return None


def match_pairs(inputs, targets, input_suffix, target_suffix, within):
    def key(path, suffix, rival):
        rival_claims = within and len(rival) > len(suffix) and pair_key(path, rival)
        return None if rival_claims else pair_key(path, suffix)

    partners = {}
    for path in targets:
        partners.setdefault(key(path, target_suffix, input_suffix), path)
    partners.pop(None, None)
    keys = [key(path, input_suffix, target_suffix) for path in inputs]
    alike = look_alikes([k for k in keys if k is not None], partners)
    return [
        (path, partners[alike.get(k, k)])
        for path, k in zip(inputs, keys)
        if alike.get(k, k) in partners
    ]


def paired_folders(
    field, inputs, targets, input_suffix="", target_suffix="", junk="skip"
):
    """Pictures with their partners: equal names, except for the suffixes.

    Without `targets` both lie in one folder and differ by suffix.
    """
    within = not targets or targets == inputs
    input_root = os.fsencode(inputs)
    target_root = input_root if within else os.fsencode(targets)
    input_files = list_files(input_root, junk=junk)
    target_files = input_files if within else list_files(target_root, junk=junk)
    suffixes = [(input_suffix, target_suffix)]
    if within and not input_suffix and not target_suffix:
        suffixes = USUAL_SUFFIXES
    for ends in suffixes:
        ends = [os.fsencode(end) for end in ends]
        pairs = match_pairs(input_files, target_files, *ends, within)
        if pairs:
            break
    else:
        raise FileNotFoundError(f"no file of {inputs} has a partner")
    files = {
        "image": [os.path.join(input_root, a) for a, _ in pairs],
        field: [os.path.join(target_root, b) for _, b in pairs],
    }
    return Source([a for a, _ in pairs], files)
