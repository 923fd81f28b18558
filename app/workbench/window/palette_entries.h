// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/store/run_record.h"
#include "widgets/common/search_popup.h"

class QMainWindow;

namespace millrace {

class Catalog;
struct EditSession;

/// What the palette finds. A key begins with what it stands for: `action:`, `node:`, `param:NODE/`,
/// `add:`, `file:` or `run:`.
std::vector<SearchEntry> actionEntries(const QMainWindow& window);
/// The nodes of a document and their parameters, and the kinds that can be added to it.
std::vector<SearchEntry> documentEntries(const EditSession& session);
std::vector<SearchEntry> fileEntries(const QStringList& recent);
std::vector<SearchEntry> runEntries(const std::vector<RunSummary>& runs);

}  // namespace millrace
