// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/graph/graph.h"
#include "core/graph/graph_check.h"
#include "core/spec/catalog.h"

namespace millrace::tests {

/// A kind for each role, independent of the built-in ones: `list` (source; paths and count),
/// `mix_up` (order), `brighten` (sample, random), `scale` (sample, deterministic, with every type
/// of parameter), `keep` (cache), `team` (workers), `pack` (batch), `queue` (prefetch), `blend`
/// (batch operation), `sink` (consumer).
const Catalog& testCatalog();

/// A document with one chain of these nodes, such as "list team pack sink": kinds used as ids.
Graph chainOf(const std::string& kinds);

/// The problems as lines, for messages and comparisons.
std::string textOf(const Problems& problems);
/// Whether a problem of this severity at `place` (`node.field`, `node` or empty) has `part` in its
/// message or remedy.
bool hasProblem(const Problems& problems, Severity severity, const std::string& place,
                const std::string& part);

}  // namespace millrace::tests

/// Fails and prints all problems if there is no such problem.
#define VERIFY_PROBLEM(problems, severity, place, part)                    \
  QVERIFY2(::millrace::tests::hasProblem(problems, severity, place, part), \
           ("no such problem among:\n" + ::millrace::tests::textOf(problems)).c_str())
