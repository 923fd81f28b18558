// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>

namespace millrace {

class PreviewSession;
struct ShownSample;

/// The samples of a preview, one row each. GUI thread.
class ThumbnailModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role {
    FreshRole = Qt::UserRole,  ///< belongs to the newest request, not to an older one
  };

  /// `session` must outlive the model.
  explicit ThumbnailModel(const PreviewSession& session, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  const ShownSample& sample(int row) const;

 private:
  void refresh();

  const PreviewSession& m_session;
  int m_rows = 0;  ///< row count that the views know
};

/// The text below a thumbnail: its label, otherwise its file's name, or that it failed.
QString captionOf(const ShownSample& sample);

}  // namespace millrace
