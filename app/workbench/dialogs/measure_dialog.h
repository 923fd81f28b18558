// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QDialog>

#include "widgets/models/live/run_settings.h"

class QLabel;

namespace millrace {

/// The dialog for warm-up, measured time and repeats of a run.
class MeasureDialog : public QDialog {
  Q_OBJECT
 public:
  explicit MeasureDialog(const MeasureChoice& measure, QWidget* parent = nullptr);
  const MeasureChoice& chosen() const { return m_measure; }
  /// Returns nullopt if the user cancels.
  static std::optional<MeasureChoice> ask(const MeasureChoice& measure, QWidget* parent);

 private:
  void showLength();

  MeasureChoice m_measure;
  QLabel* m_length;
};

}  // namespace millrace
