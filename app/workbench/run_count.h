// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include <QToolButton>

namespace millrace {

class StoreThread;

/// How many runs the store has, in the status line; pressed, it brings them to the front. Counted
/// where `lookAgain` finds that the store's file has changed, on the store's thread. GUI thread.
class RunCount : public QToolButton {
  Q_OBJECT
 public:
  /// `store` outlives it.
  explicit RunCount(StoreThread& store, QWidget* parent = nullptr);

  void lookAgain();
  /// Without the store's name, where there is little room.
  void setShort(bool isShort);

 private:
  void count();
  void showCount();

  StoreThread& m_store;
  QString m_trace;  ///< of the store as it was counted
  std::optional<std::int64_t> m_runs;
  QString m_problem;
  bool m_isShort = false;
};

}  // namespace millrace
