// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QWidget>

#include "widgets/models/search/sweep_order.h"

class QLabel;
class QVBoxLayout;

namespace millrace {

class Document;
class SearchPopup;
class SweepAxisRow;

/// A document's parameters and the values to try for them: one row each, and a button that finds
/// another parameter. GUI thread.
class VariationList : public QWidget {
  Q_OBJECT
 public:
  /// `document` must outlive the list. `none`: the text while it is empty; `more`: the button's
  /// text.
  VariationList(Document& document, const QString& none, const QString& more,
                QWidget* parent = nullptr);

  /// Adds a parameter with values around its present one; its line gets the cursor.
  void add(const NodeId& node, const std::string& param);
  const std::vector<SweepAxisRow*>& rows() const { return m_rows; }
  std::vector<SweepVariation> variations() const;
  /// Shows the check's result for each row: the problem, or the values.
  void showCheck(const std::vector<QString>& problems,
                 const std::vector<std::optional<SweepAxis>>& axes);

 signals:
  /// A row was added, removed or edited.
  void changed();

 private:
  void remove(SweepAxisRow* row);
  void choose();

  Document& m_document;
  QVBoxLayout* m_column;
  QLabel* m_none;
  SearchPopup* m_search;
  std::vector<SweepAxisRow*> m_rows;
};

}  // namespace millrace
