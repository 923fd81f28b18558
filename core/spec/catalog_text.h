// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "core/spec/catalog.h"

namespace millrace {

/// All kinds as one Markdown page: what each one does, its parameters with type, unit, default and
/// range, and an example. This is the content of resources/help/nodes.md.
std::string catalogMarkdown(const Catalog& catalog);

/// One line per kind, grouped by category, at most `columns` wide: `millrace nodes`.
std::string catalogOverviewText(const Catalog& catalog, std::size_t columns = 80);

/// The complete help of one kind for a terminal of so many columns: `millrace nodes
/// KIND`.
std::string nodeHelpText(const NodeSpec& spec, std::size_t columns = 80);

}  // namespace millrace
