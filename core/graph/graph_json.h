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

/// Limits on foreign text: what no pipeline needs is refused before memory is taken for it.
inline constexpr std::size_t kMaxGraphBytes = 16U << 20U;
inline constexpr std::size_t kMaxGraphDepth = 64;
inline constexpr std::size_t kMaxGraphNodes = 1000;  ///< and as many wires
inline constexpr std::size_t kMaxNameBytes = 256;    ///< of an id or a kind

/// What reading a document gave: the document when it has the right form, and what is to be said
/// about it. With an error among the problems there is no document. Problems of content (unknown
/// kinds, ranges, wires) are `checkGraph`'s.
struct ReadGraph {
  std::optional<Graph> graph;
  Problems problems;
};

/// Reads a pipeline document (CONTRACT §1). Errors have line and column, or the key's path such as
/// `nodes[3].state`. Parameters of kinds in `catalog` get their described type; everything else
/// is kept as it stands. A node without id gets the one that a new node of its kind would get.
ReadGraph parseGraph(std::string_view text, const Catalog& catalog);

/// The bytes of a file that may be a pipeline's, at most a little more than the limit. The error is
/// the file's name and why it cannot be read. Any thread; waits as long as the file system does.
Result<std::string> graphBytes(const std::filesystem::path& file);

/// The same as `parseGraph` from a file; also reports one that cannot be read.
ReadGraph readGraph(const std::filesystem::path& file, const Catalog& catalog);

/// The document as text: keys sorted, two spaces, every parameter of the kinds in `catalog`,
/// reals with the fewest digits that read back the same. parseGraph and graphText give the same
/// bytes again.
std::string graphText(const Graph& graph, const Catalog& catalog);

/// Writes the document beside `file` and renames, so that a failure leaves the old file whole.
Status saveGraph(const std::filesystem::path& file, const Graph& graph, const Catalog& catalog);

/// What stood in the file, as a value of `type`; the error says what was expected.
Result<Value> valueOf(ParamType type, const RawJson& raw);

}  // namespace millrace
