// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/spec/catalog.h"

namespace millrace {

/// Every kind in one Markdown page: what it does, its parameters with type, unit, default and
/// range, an example. What resources/help/nodes.md holds.
std::string catalogMarkdown(const Catalog& catalog);

/// The kinds by category, a line each, at most 80 columns: `millrace nodes`.
std::string catalogOverviewText(const Catalog& catalog);

/// All about one kind for a terminal of 80 columns: `millrace nodes KIND`.
std::string nodeHelpText(const NodeSpec& spec);

}  // namespace millrace
