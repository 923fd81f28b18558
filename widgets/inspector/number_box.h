// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSpinBox>

#include "core/spec/param_spec.h"

namespace millrace {

/// A field for a 64-bit integer or a real number, with steps by arrows and wheel (when focused).
/// Accepts a comma or a point before decimals. Checks no limits: the document does that.
class NumberBox : public QAbstractSpinBox {
  Q_OBJECT
 public:
  explicit NumberBox(const ParamSpec& spec, QWidget* parent = nullptr);

  void setNumber(double number);
  void setInteger(std::int64_t integer);
  void setMixed();

  void stepBy(int steps) override;
  QValidator::State validate(QString& text, int& at) const override;
  QSize sizeHint() const override;

 signals:
  void entered(const QString& text);
  void left();

 protected:
  StepEnabled stepEnabled() const override;
  void focusOutEvent(QFocusEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  void showText(const QString& text);
  double stepFrom(double number, int steps) const;
  void commit();

  const ParamSpec& m_spec;
  QString m_shown;
};

}  // namespace millrace
