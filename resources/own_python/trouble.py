# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
"""What went wrong in the user's code, with the user's frames."""
import os
import traceback

HARNESS = "millrace-loader"  # the name of these files in a traceback


class Unusable(Exception):
    """The user's object cannot be measured; the text says why."""


def is_foreign(name):
    """Whether a frame is not of the user's code: this file, the interpreter, installed packages."""
    if name.startswith("<") or name == HARNESS:
        return True
    if "site-packages" in name or "dist-packages" in name:
        return True
    return name.startswith(os.path.dirname(os.__file__) + os.sep)


def frames_in(text):
    """The frames of a traceback that was printed in a worker, and its last line."""
    frames = []
    lines = [line for line in text.splitlines() if line.strip().strip('"')]
    for i, line in enumerate(lines):
        line = line.strip()
        if not line.startswith('File "') or ", line " not in line:
            continue
        name, rest = line[6:].split('", line ', 1)
        number, _, function = rest.partition(", in ")
        following = lines[i + 1].strip() if i + 1 < len(lines) else ""
        code = "" if following.startswith('File "') else following
        frames.append({"file": name, "line": int(number) if number.isdigit() else 0,
                       "function": function, "code": code})
    return frames, lines[-1] if lines else ""


def trimmed(frames):
    own = [frame for frame in frames if not is_foreign(frame["file"])]
    if frames and (not own or own[-1] is not frames[-1]) and frames[-1]["file"] != HARNESS:
        own.append(frames[-1])
    return own[-6:]


def tell_error(lines, phase, error):
    frames = [{"file": f.filename, "line": f.lineno or 0, "function": f.name, "code": f.line or ""}
              for f in traceback.extract_tb(error.__traceback__)]
    kind = type(error).__name__
    text = str(error)
    worker = False
    cause = error.__cause__
    remote = str(cause) if type(cause).__name__ in ("RemoteTraceback", "_RemoteTraceback") else ""
    if "Original Traceback (most recent call last)" in text:
        remote = text.split("Original Traceback", 1)[1]
    if remote:
        worker = True
        frames, last = frames_in(remote)
        kind, _, text = last.partition(": ")
    if isinstance(error, SyntaxError) and error.filename:
        frames.append({"file": error.filename, "line": error.lineno or 0, "function": "",
                       "code": (error.text or "").strip()})
        text = error.msg
    missing = (getattr(error, "name", None) or "") if isinstance(error, ModuleNotFoundError) else ""
    lines.tell("error", phase=phase, kind=kind, text=text[:2000], worker=worker, missing=missing,
               frames=trimmed(frames), unusable=isinstance(error, Unusable))
