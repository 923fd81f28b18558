// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "core/inspect/folder_content.h"

class QListWidget;

namespace millrace {

/// Lets the user choose one of the data sets below a folder. Does not block.
/// GUI thread.
class DataChoice : public QDialog {
  Q_OBJECT
 public:
  DataChoice(const QString& folder, const FolderContent& content, QWidget* parent);

  void accept() override;

 signals:
  void chosen(const QString& path);

 private:
  QListWidget* m_list;
};

}  // namespace millrace
