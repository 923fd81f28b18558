// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/spec/problem.h"

namespace millrace {

/// Limits for untrusted text: what no pipeline needs is refused before memory is allocated for it.
inline constexpr std::size_t kMaxGraphBytes = 16U << 20U;
inline constexpr std::size_t kMaxGraphDepth = 64;
inline constexpr std::size_t kMaxGraphNodes = 1000;  ///< the same limit holds for wires
inline constexpr std::size_t kMaxNameBytes = 256;    ///< for an id or a kind

/// Result of reading a document: the document if its form is valid, and the problems found. There
/// is no document if one of them is an error. Wrong content (unknown kinds, ranges, wires) is
/// reported by `checkGraph` instead.
struct ReadGraph {
  std::optional<Graph> graph;
  Problems problems;
};

/// Reads a pipeline document (docs/reference/pipeline-file.md). Errors have line and column, or the
/// path of the key such as `nodes[3].state`. Parameters of kinds in `catalog` get their described
/// type; everything else is kept as raw JSON. A node without id gets the id of a new node of its
/// kind.
ReadGraph parseGraph(std::string_view text, const Catalog& catalog);

/// The bytes of a pipeline file; reading stops a little above the size limit. The error has the
/// file's name and the reason. Any thread; blocks on the file system.
Result<std::string> graphBytes(const std::filesystem::path& file);

/// `parseGraph` for a file; also reports a file that cannot be read.
ReadGraph readGraph(const std::filesystem::path& file, const Catalog& catalog);

/// The document as text: keys sorted, indented by two spaces, every parameter of the kinds in
/// `catalog`, reals with the fewest digits that read back the same. parseGraph followed by
/// graphText gives the same bytes.
std::string graphText(const Graph& graph, const Catalog& catalog);

/// Writes to a temporary file next to `file` and renames it, so that the old file stays intact on
/// failure.
Status saveGraph(const std::filesystem::path& file, const Graph& graph, const Catalog& catalog);

/// Raw JSON as a value of `type`; the error says what was expected.
Result<Value> valueOf(ParamType type, const RawJson& raw);

}  // namespace millrace
