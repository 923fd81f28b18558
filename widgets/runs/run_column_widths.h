// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QString>
#include <QVariantMap>

namespace millrace {

/// The widths of the columns of the table of runs, in pixels: those that the user set, otherwise by
/// content. Value.
class RunColumnWidths {
 public:
  struct Column {
    QString id;
    int natural = 0;  ///< nothing is cut
    int usual = 0;    ///< to which it gives up room if not all fit
    int least = 0;    ///< to which it gives up room if that is not enough
    bool takesRest = false;
    bool givesLast = false;  ///< keeps its usual width until the others have their least
  };

  /// Widths set by the user, by the ids of their columns, also of those that are not shown.
  const QVariantMap& chosen() const { return m_chosen; }
  void setChosen(const QVariantMap& chosen) { m_chosen = chosen; }
  void choose(std::size_t column, int width);
  void forget(std::size_t column);

  /// Columns with the same ids as before keep room for what they showed: they do not jump while
  /// runs come and go.
  void setColumns(std::vector<Column> columns);
  std::size_t count() const { return m_columns.size(); }

  /// For a table of this width. What is left goes to the column that takes the rest, unless the
  /// user set its width. If there is too little for the least widths, their sum is larger than
  /// `room`.
  std::vector<int> in(int room) const;

 private:
  std::vector<Column> m_columns;
  QVariantMap m_chosen;
};

}  // namespace millrace
