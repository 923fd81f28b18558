// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/proposal/folder_content.h"

namespace millrace {

/// A pipeline that the start page offers: a shipped example, or a proposal for a person's own data.
/// Value.
struct StartOffer {
  QString name;         ///< what the document is called
  QString title;        ///< "Cats vs dogs"
  QString description;  ///< what it does, in sentences
  QString data;         ///< "600 generated samples"
  Graph graph;
  std::string text;     ///< the document
  std::string shown;    ///< behind this node its samples look most like what it is about
  QStringList samples;  ///< sample data that it asks for
  bool isOwn = false;   ///< of a person's folder
};

/// In the order in which a newcomer tries them.
std::vector<StartOffer> shippedOffers(const Catalog& catalog);
/// The error says why nothing can be proposed.
Result<StartOffer> ownOffer(const QString& folder, const FolderContent& content,
                            const Catalog& catalog);

}  // namespace millrace
