// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/open/stored_document.h"

#include "core/graph/edit/graph_edit.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"

namespace millrace {

std::string storedDocument(const PreparedPipeline& prepared) {
  const Catalog& catalog = builtinCatalog();
  return graphText(withAbsolutePaths(prepared.graph, catalog, prepared.base), catalog);
}

}  // namespace millrace
