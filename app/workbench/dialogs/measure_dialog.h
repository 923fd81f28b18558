// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QDialog>

#include "widgets/models/live/run_settings.h"

class QLabel;
class QPushButton;

namespace millrace {

class FieldGrid;
class NoteStrip;

/// The dialog for how a run is measured and what it is called: what `millrace run` has options for.
class MeasureDialog : public QDialog {
  Q_OBJECT
 public:
  explicit MeasureDialog(const MeasureChoice& measure, QWidget* parent = nullptr);
  const MeasureChoice& chosen() const { return m_measure; }
  /// Returns nullopt if the user cancels.
  static std::optional<MeasureChoice> ask(const MeasureChoice& measure, QWidget* parent);

  /// Why the choices contradict each other, as a sentence; empty if they do not.
  QString problem() const;

 private:
  void addFields(FieldGrid& fields);
  void showLength();

  MeasureChoice m_measure;
  QLabel* m_length;
  NoteStrip* m_problem;
  QPushButton* m_ok;
};

}  // namespace millrace
