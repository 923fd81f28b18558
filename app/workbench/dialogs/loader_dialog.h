// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QDialog>

#include "widgets/bridge/loader_import.h"

class QComboBox;
class QLineEdit;
class QPushButton;

namespace millrace {

/// Asks for a user's Python loader: file, name in it and interpreter. Offers what it finds.
class LoaderDialog : public QDialog {
  Q_OBJECT
 public:
  /// `offered`: without a file, the user chooses it. `open` gets what was chosen.
  LoaderDialog(const ChosenLoader& offered, std::function<void(const ChosenLoader&)> open,
               QWidget* parent = nullptr);
  ~LoaderDialog() override;

 private:
  QWidget* buildFields();
  void chooseFile();
  void takeFile(const QString& file);
  void refresh();

  const std::function<void(const ChosenLoader&)> m_open;
  QLineEdit* m_file;
  QComboBox* m_name;
  QLineEdit* m_interpreter;
  QPushButton* m_start;
};

}  // namespace millrace
