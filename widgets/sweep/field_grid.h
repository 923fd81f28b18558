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

/// A dialog's input fields, in the inspector's style, in two columns. GUI thread.
class FieldGrid : public QWidget {
  Q_OBJECT
 public:
  explicit FieldGrid(QWidget* parent = nullptr);

  /// Adds a field named "field_" plus the parameter's name. `spec` must outlive the grid. `take`
  /// gets each value that the user enters.
  FieldRow& add(const ParamSpec& spec, const Value& value, std::function<void(const Value&)> take);
  const std::vector<FieldRow*>& fields() const { return m_fields; }

 signals:
  /// A value was entered and taken.
  void changed();

 private:
  QGridLayout* m_grid;
  std::vector<FieldRow*> m_fields;
};

/// The description of a dialog's number field.
ParamSpec numberSpec(const char* name, const char* label, const char* help, const char* unit,
                     ParamType type, double usual, double least, double most);
/// The description of a choice, the first one being the default; and of a flag, off by default.
ParamSpec choiceSpec(const char* name, const char* label, const char* help,
                     std::vector<std::string> choices);
ParamSpec flagSpec(const char* name, const char* label, const char* help);
/// The description of a text that may stay empty.
ParamSpec textSpec(const char* name, const char* label, const char* help);

/// Lays out a dialog: a page that scrolls, above a foot with messages and buttons.
void layOutDialog(QDialog& dialog, QWidget* content, QWidget* problem, QWidget* words,
                  QPushButton* copy, QPushButton* start);

}  // namespace millrace
