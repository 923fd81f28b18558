// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/number_box.h"

#include <algorithm>
#include <cmath>

#include <QFocusEvent>
#include <QLineEdit>
#include <QWheelEvent>

#include "widgets/common/format.h"

namespace millrace {

namespace {

constexpr int kLeastWidth = 72;
constexpr int kMostWidth = 170;
constexpr int kAroundText = 58;  ///< padding, arrows and frame of the style sheet

}  // namespace

NumberBox::NumberBox(const ParamSpec& spec, QWidget* parent)
    : QAbstractSpinBox(parent), m_spec(spec) {
  setFocusPolicy(Qt::StrongFocus);
  setKeyboardTracking(false);
  connect(lineEdit(), &QLineEdit::returnPressed, this, &NumberBox::commit);
  setMinimumWidth(kLeastWidth);
}

void NumberBox::showText(const QString& text) {
  m_shown = text;
  lineEdit()->setPlaceholderText({});
  lineEdit()->setText(text);
  // A number with its first digits cut off would read as another number.
  const int wide = fontMetrics().horizontalAdvance(text) + kAroundText;
  setMinimumWidth(std::clamp(wide, kLeastWidth, kMostWidth));
  lineEdit()->setCursorPosition(0);
}

void NumberBox::setNumber(double number) { showText(shownNumber(number)); }
void NumberBox::setInteger(std::int64_t integer) { showText(shownNumber(integer)); }

void NumberBox::setMixed() {
  showText({});
  lineEdit()->setPlaceholderText("differs");
}

QSize NumberBox::sizeHint() const { return {124, 28}; }

QValidator::State NumberBox::validate(QString&, int&) const { return QValidator::Acceptable; }

QAbstractSpinBox::StepEnabled NumberBox::stepEnabled() const {
  return StepUpEnabled | StepDownEnabled;
}

/// Integers step by one; large integers and reals by a tenth of their size, to round numbers.
double NumberBox::stepFrom(double number, int steps) const {
  if (m_spec.type == ParamType::Integer && std::abs(number) < 1000) return number + steps;
  const double size = std::max(std::abs(number), m_spec.type == ParamType::Integer ? 1.0 : 0.01);
  const double step = std::pow(10, std::floor(std::log10(size)) - 1);
  return std::round(number / step + steps) * step;
}

void NumberBox::stepBy(int steps) {
  const double from = typedNumber(text()).value_or(m_spec.minimum.value_or(0));
  double next = stepFrom(from, steps);
  if (m_spec.minimum) next = std::max(next, *m_spec.minimum);
  if (m_spec.maximum) next = std::min(next, *m_spec.maximum);
  // Steps leave rounding noise in the last digits, which is not intended.
  const QString text = m_spec.type == ParamType::Integer
                           ? QString::number(static_cast<qint64>(std::llround(next)))
                           : QString::number(next, 'g', 12);
  lineEdit()->setText(text);
  commit();
}

void NumberBox::commit() {
  const QString typed = text();
  if (typed == m_shown) return;
  m_shown = typed;
  emit entered(typed);
}

void NumberBox::focusOutEvent(QFocusEvent* event) {
  commit();
  QAbstractSpinBox::focusOutEvent(event);
  emit left();
}

void NumberBox::wheelEvent(QWheelEvent* event) {
  // The wheel scrolls the inspector; it changes a field only if the field has the focus.
  if (hasFocus())
    QAbstractSpinBox::wheelEvent(event);
  else
    event->ignore();
}

}  // namespace millrace
