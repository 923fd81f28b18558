// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/graph.h"
#include "core/spec/problem.h"

namespace millrace {

/// The key of a node in the file that names the plug-in of its kind, so that a Millrace without it
/// can name it.
inline constexpr const char* kPluginKey = "plugin";

/// The problem that a node's kind is not in the catalog: a plug-in that is not here or was refused,
/// or a word that is not a kind.
Problem unknownKind(const GraphNode& node, const Catalog& catalog, Severity severity);

}  // namespace millrace
