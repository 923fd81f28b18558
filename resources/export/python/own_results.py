# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
import inspect


def takes_rng(function):
    try:
        return "rng" in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False


def own_results(function, values, results, by_name, rng):
    """What your function returns, by the names of the results."""
    more = {"rng": rng()} if takes_rng(function) else {}
    if by_name:
        returned = function(**values, **more)
    else:
        returned = function(*values.values(), **more)
    if isinstance(returned, dict):
        return {name: returned[name] for name in results}
    return dict(zip(results, returned if len(results) > 1 else [returned]))
