// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include <QTimer>
#include <QToolButton>

namespace millrace {

class StoreThread;

/// The number of runs in the store, in the status line; a click shows them. It counts again when
/// `countAgain` finds that the store's file has changed, on the store's thread; it looks every two
/// seconds. GUI thread.
class RunCount : public QToolButton {
  Q_OBJECT
 public:
  /// `store` must outlive this object.
  explicit RunCount(StoreThread& store, QWidget* parent = nullptr);

  void countAgain();
  /// Counts whether or not the file looks the same: it is another one.
  void count();
  /// What the user should know about the store; empty for nothing. It is shown as a warning.
  void setRemark(const QString& remark);
  /// Leaves out the store's name if there is little room.
  void setShort(bool isShort);

 private:
  void showCount();

  StoreThread& m_store;
  const std::filesystem::path m_own;  ///< the store at the start; only others are named in full
  QString m_trace;                    ///< trace of the store when it was counted
  std::optional<std::int64_t> m_runs;
  QString m_problem;
  QString m_remark;
  bool m_isShort = false;
  QTimer m_watch;
};

}  // namespace millrace
