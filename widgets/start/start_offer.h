// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/inspect/folder_content.h"

namespace millrace {

/// A pipeline offered on the start page: a shipped example, or a proposal for the user's own data.
/// Value.
struct StartOffer {
  QString name;         ///< the document's name
  QString title;        ///< "Cats vs dogs"
  QString description;  ///< what the pipeline does, in sentences
  QString data;         ///< "600 generated, 480 for training"
  QString count;        ///< "480 samples", those that the pipeline reads; empty for own data
  Graph graph;
  std::string text;     ///< the document
  std::string shown;    ///< the node after which its samples are shown
  QStringList samples;  ///< sample data that it needs
  bool isOwn = false;   ///< made from the user's folder
};

/// In the order in which a newcomer would try them.
std::vector<StartOffer> shippedOffers(const Catalog& catalog);
/// The error says why nothing can be proposed.
Result<StartOffer> ownOffer(const QString& folder, const FolderContent& content,
                            const Catalog& catalog);

}  // namespace millrace
