// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/charts/run_view.h"

class QLabel;

namespace millrace {

/// The GPU during a run; without one it says so, and what would appear: never 0 %, never an empty
/// axis. GUI thread.
class GpuPanel : public RunView {
  Q_OBJECT
 public:
  /// `gpu`: what the machine has; empty: none.
  explicit GpuPanel(const QString& gpu, QWidget* parent = nullptr);

  void refresh(const LiveRun& run, const std::optional<TimeSpan>& range) override;
  QString words() const;

 signals:
  /// A person asks what would have to be there.
  void missingAsked();

 private:
  QString m_gpu;
  QLabel* m_words;
};

}  // namespace millrace
