// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A pipeline document from any source: read, check without data, write, read again. The written
// document reads back to the same bytes; nothing crashes, hangs or recurses without bound.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/graph/graph_check.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;
  const Catalog& catalog = builtinCatalog();
  const ReadGraph read = parseGraph({reinterpret_cast<const char*>(data), size}, catalog);
  if (read.graph.has_value() == read.problems.anyError()) std::abort();
  if (!read.graph) return 0;
  const CheckResult checked = checkGraph(*read.graph, catalog, {});
  if (checked.pipeline.has_value() == checked.problems.anyError()) std::abort();
  const std::string text = graphText(*read.graph, catalog);
  const ReadGraph again = parseGraph(text, catalog);
  if (!again.graph || graphText(*again.graph, catalog) != text) std::abort();
  return 0;
}
