// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include <QWidget>

#include "core/spec/param_spec.h"

namespace millrace {

/// A control for one parameter, made from its description. It shows the document's value and emits
/// the user's input, as a value of the right type or as a refusal with the reason.
class ValueEditor : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;

  /// Shows a value; nullopt: the shown nodes have different values. Emits no signal.
  virtual void show(const std::optional<Value>& value) = 0;
  /// Marks the control: "error", "warning" or "".
  virtual void setProblem(const char* severity) = 0;
  /// Whether it takes the full width, below its label.
  virtual bool isWide() const { return false; }

 signals:
  void edited(const millrace::Value& value);
  /// The typed text is not a value; the document keeps the old one.
  void refused(const QString& why);
  /// The user left the control: the next edit is a new undo step.
  void finished();
};

/// The control that fits the parameter's type.
std::unique_ptr<ValueEditor> makeEditor(const ParamSpec& spec);

}  // namespace millrace
