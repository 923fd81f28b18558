// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QDialog>

#include "widgets/bridge/loader_import.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;

namespace millrace {

class NoteStrip;

/// Imports a user's Python loader as a pipeline: asks for file, name and interpreter, shows what
/// became of each part and how the samples compare, and opens the pipeline.
class LoaderDialog : public QDialog {
  Q_OBJECT
 public:
  /// `file`: the Python file; empty: the user chooses it. `open` opens a pipeline's file.
  LoaderDialog(const QString& file, std::function<void(const QString&)> open,
               QWidget* parent = nullptr);
  ~LoaderDialog() override;
  /// Sets another program than engineProgram().
  void setProgram(const QString& program) { m_import.setProgram(program); }
  bool isAtWork() const { return m_import.isRunning(); }

  void reject() override;

 private:
  QWidget* buildFields();
  void chooseFile();
  void takeFile(const QString& file);
  void begin();
  void take(const QJsonObject& result, const QString& refusal);
  void refresh();

  const std::function<void(const QString&)> m_open;
  LoaderImport m_import;
  QLineEdit* m_file;
  QComboBox* m_name;
  QLineEdit* m_interpreter;
  QLineEdit* m_output;
  QTreeWidget* m_parts;
  QLabel* m_verdict;
  NoteStrip* m_trouble;
  QPushButton* m_start;
  QPushButton* m_openButton;
};

}  // namespace millrace
