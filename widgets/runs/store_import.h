// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include <QObject>

#include "widgets/runs/store_thread.h"

namespace millrace {

/// Copies the runs of another store into ours, some at a time, so that the table goes on meanwhile.
/// One use. GUI thread.
class StoreImport : public QObject {
  Q_OBJECT
 public:
  StoreImport(StoreThread& store, std::filesystem::path source, QObject* parent = nullptr);

  void start();
  /// What was copied stays.
  void stop() { m_stopped = true; }

 signals:
  void progressed(int done, int of);
  /// "12 runs imported, 3 were here already." or what went wrong; the last signal.
  void ended(const QString& sentence, bool wrong);

 private:
  struct Work;
  void next();
  void finish();

  StoreThread& m_store;
  std::filesystem::path m_source;
  std::shared_ptr<Work> m_work;
  bool m_stopped = false;
};

}  // namespace millrace
