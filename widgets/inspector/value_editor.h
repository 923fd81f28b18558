// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include <QWidget>

#include "core/spec/param_spec.h"

namespace millrace {

/// A control for values of one parameter, made from its description. Shows what the document has;
/// what a person enters comes back as a value of the right type, or as text that is none.
class ValueEditor : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;

  /// Shows a value; nothing: the nodes shown differ. Emits no signal.
  virtual void show(const std::optional<Value>& value) = 0;
  /// Marks the control: "error", "warning" or "".
  virtual void setProblem(const char* severity) = 0;
  /// Whether it takes the whole width and stands below its label.
  virtual bool isWide() const { return false; }

 signals:
  void edited(const millrace::Value& value);
  /// What was typed is no value; the document keeps the old one.
  void refused(const QString& why);
  /// Leaving the control: the next edit is a step of its own.
  void finished();
};

/// The control that fits the parameter's type.
std::unique_ptr<ValueEditor> makeEditor(const ParamSpec& spec);

}  // namespace millrace
