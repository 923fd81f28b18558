// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QDialog>

#include "widgets/models/run_settings.h"

class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace millrace {

/// Warm-up, measured seconds and repeats of a run.
class MeasureDialog : public QDialog {
  Q_OBJECT
 public:
  explicit MeasureDialog(const MeasureChoice& measure, QWidget* parent = nullptr);
  MeasureChoice chosen() const;
  /// Nothing: the person thought better of it.
  static std::optional<MeasureChoice> ask(const MeasureChoice& measure, QWidget* parent);

 private:
  void showLength();

  QDoubleSpinBox* m_warmup;
  QDoubleSpinBox* m_seconds;
  QSpinBox* m_repeats;
  QLabel* m_length;
};

}  // namespace millrace
