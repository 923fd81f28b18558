// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "widgets/export/export_run.h"

class QLineEdit;
class QPushButton;
class QSettings;

namespace millrace {

/// The interpreter that runs exported code, and the button that starts and stops it. GUI thread.
class RunHereLine : public QWidget {
  Q_OBJECT
 public:
  /// `settings`: outlive it.
  explicit RunHereLine(QSettings& settings, QWidget* parent = nullptr);

  /// Shows the interpreter that ran this target last; one that was never run keeps the text.
  void setTarget(const QString& name);
  /// Whether there is code that can be run.
  void setRunnable(bool runnable);
  /// Starts a run with the interpreter in the field, and remembers it for the target.
  void start(ExportRunRequest request);

  QLineEdit& interpreter() { return *m_interpreter; }
  QPushButton& button() { return *m_button; }
  ExportRun& run() { return m_run; }

 signals:
  /// The user asks for a run: call `start`.
  void asked();
  /// As ExportRun::ended.
  void ended(double rate, const QString& refusal);

 private:
  void refresh();

  QSettings& m_settings;
  QString m_target;
  ExportRun m_run;
  QLineEdit* m_interpreter;
  QPushButton* m_button;
  bool m_runnable = false;
};

}  // namespace millrace
