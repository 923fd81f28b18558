// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include <QObject>

#include "widgets/runs/store_thread.h"

namespace millrace {

/// Copies the runs of another store into ours, a few at a time, so that the table stays responsive.
/// For one use. GUI thread.
class StoreImport : public QObject {
  Q_OBJECT
 public:
  StoreImport(StoreThread& store, std::filesystem::path source, QObject* parent = nullptr);

  void start();
  /// Stops; runs copied so far are kept.
  void stop() { m_stopped = true; }

 signals:
  void progressed(int done, int of);
  /// "12 runs imported, 3 were here already." or an error; the last signal.
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
