// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <memory>

#include <QObject>

#include "core/inspect/folder_content.h"

namespace millrace {

/// Scans a folder on a new thread: a network folder may never respond. A newer scan, or the end of
/// this object, cancels the one before. GUI thread.
class FolderScan : public QObject {
  Q_OBJECT
 public:
  explicit FolderScan(QObject* parent = nullptr) : QObject(parent) {}
  ~FolderScan() override { drop(); }

  void scan(const QString& folder);
  void drop();
  bool isAtWork() const { return m_stop != nullptr; }

 signals:
  void found(const QString& folder, const millrace::FolderContent& content);

 private:
  std::shared_ptr<std::atomic<bool>> m_stop;  ///< cancels the current scan
};

}  // namespace millrace
