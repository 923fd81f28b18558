// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>

#include "core/spec/problem.h"

namespace millrace {

class BackgroundCheck;
class Document;

/// The problems of the last check, errors and warnings, in its order, and then hints: what is not
/// wrong but could be better. An empty document has none. GUI thread.
class ProblemsModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { PlaceRole = Qt::UserRole, MessageRole, RemedyRole, SeverityRole, HintRole };

  ProblemsModel(Document& document, BackgroundCheck& check);

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  /// How many rows are problems; the others are hints.
  int problems() const { return static_cast<int>(m_hintsFrom); }
  const Problem& problemAt(int row) const { return m_problems[static_cast<std::size_t>(row)]; }

 private:
  void refresh();
  /// "Random resized crop › Smallest area".
  QString placeOf(const Problem& problem) const;

  Document& m_document;
  BackgroundCheck& m_check;
  std::vector<Problem> m_problems;
  std::size_t m_hintsFrom = 0;  ///< index of the first hint
};

}  // namespace millrace
