// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QListView>

class QLabel;

namespace millrace {

struct EditSession;

/// The problems of the last check: place, message and remedy. Enter or a click shows the node and
/// puts the cursor into the field.
class ProblemsPanel : public QListView {
  Q_OBJECT
 public:
  explicit ProblemsPanel(QWidget* parent = nullptr);
  /// An empty list takes no room from its neighbours: narrow next to another dock, low if it has
  /// the row to itself.
  enum class Fold { No, Narrow, Low };
  void setFolded(Fold fold);
  void setSession(EditSession* session);

 signals:
  void nodeRequested(const QString& node, const QString& field);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void request(const QModelIndex& index);
  EditSession* m_session = nullptr;
};

}  // namespace millrace
