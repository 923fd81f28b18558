// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QString>

#include "core/analyse/advice.h"
#include "core/graph/graph.h"

namespace millrace {

/// An edit as the engine's results write it: `node param from to`, or `add behind limit`; words
/// alone where it is neither. `changes_samples` counts where it stands beside them.
Advice editOf(const QJsonObject& json);

/// What an edit does to this document: "Workers › Threads: 2 → 4", "Add a memory cache behind
/// Decode"; by the names of the file where the document has no such node.
QString shownEdit(const Graph& graph, const Catalog& catalog, const Advice& edit);

}  // namespace millrace
