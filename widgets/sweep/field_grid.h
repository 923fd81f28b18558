// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include <QWidget>

#include "core/spec/param_spec.h"

class QDialog;
class QGridLayout;
class QPushButton;

namespace millrace {

class FieldRow;

/// Questions of a dialog, as the inspector asks for parameters, in two columns. GUI thread.
class FieldGrid : public QWidget {
  Q_OBJECT
 public:
  explicit FieldGrid(QWidget* parent = nullptr);

  /// Named "field_" and the parameter's name. `spec` outlives the grid. `take` gets what a person
  /// entered.
  void add(const ParamSpec& spec, const Value& value, std::function<void(const Value&)> take);
  const std::vector<FieldRow*>& fields() const { return m_fields; }

 signals:
  /// Something was entered, and taken.
  void changed();

 private:
  QGridLayout* m_grid;
  std::vector<FieldRow*> m_fields;
};

/// The description of a number that a dialog asks for.
ParamSpec askedNumber(const char* name, const char* label, const char* help, const char* unit,
                      ParamType type, double usual, double least, double most);
/// Of a choice, the first being the usual one; and of a yes or no, usually no.
ParamSpec askedChoice(const char* name, const char* label, const char* help,
                      std::vector<std::string> choices);
ParamSpec askedFlag(const char* name, const char* label, const char* help);

/// A dialog's page that scrolls, over a foot with what there is to say and the buttons.
void layOutQuestions(QDialog& dialog, QWidget* content, QWidget* problem, QWidget* words,
                     QPushButton* copy, QPushButton* start);

}  // namespace millrace
