// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <memory>

#include <QObject>

#include "core/proposal/folder_content.h"

namespace millrace {

/// Looks at a folder on a thread of its own: one on a network may never answer. A newer look, and
/// the end of this object, drop the one before. GUI thread.
class FolderLook : public QObject {
  Q_OBJECT
 public:
  explicit FolderLook(QObject* parent = nullptr) : QObject(parent) {}
  ~FolderLook() override { drop(); }

  void look(const QString& folder);
  void drop();
  bool isAtWork() const { return m_stop != nullptr; }

 signals:
  void found(const QString& folder, const millrace::FolderContent& content);

 private:
  std::shared_ptr<std::atomic<bool>> m_stop;  ///< of the look at work
};

}  // namespace millrace
