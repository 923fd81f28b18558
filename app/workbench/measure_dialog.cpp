// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/measure_dialog.h"

#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>

#include "widgets/charts/run_strip.h"

namespace millrace {

namespace {

QDoubleSpinBox* secondsBox(double least, double value) {
  auto* box = new QDoubleSpinBox;
  box->setRange(least, 3600);
  box->setDecimals(1);
  box->setSuffix(QString(QChar(0xA0)) + "s");
  box->setValue(value);
  return box;
}

}  // namespace

MeasureDialog::MeasureDialog(const MeasureChoice& measure, QWidget* parent)
    : QDialog(parent),
      m_warmup(secondsBox(0, measure.warmupSeconds)),
      m_seconds(secondsBox(0.5, measure.seconds)),
      m_repeats(new QSpinBox),
      m_length(new QLabel) {
  setWindowTitle("How a run is measured");
  m_repeats->setRange(1, 1000);
  m_repeats->setValue(measure.repeats);
  m_length->setProperty("role", "second");
  m_length->setWordWrap(true);
  auto* form = new QFormLayout(this);
  form->setSpacing(8);
  form->addRow("&Warm-up, not counted", m_warmup);
  form->addRow("&Measured", m_seconds);
  form->addRow("&Repeats", m_repeats);
  form->addRow(m_length);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  form->addRow(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_warmup, &QDoubleSpinBox::valueChanged, this, &MeasureDialog::showLength);
  connect(m_seconds, &QDoubleSpinBox::valueChanged, this, &MeasureDialog::showLength);
  connect(m_repeats, &QSpinBox::valueChanged, this, &MeasureDialog::showLength);
  showLength();
}

MeasureChoice MeasureDialog::chosen() const {
  return {m_warmup->value(), m_seconds->value(), m_repeats->value()};
}

void MeasureDialog::showLength() {
  const MeasureChoice measure = chosen();
  QString length = leftWords(measure.repeats * (measure.warmupSeconds + measure.seconds));
  length.chop(5);  // " left"
  const QString verdict =
      measure.repeats < 3 ? " A verdict needs 3 repeats; fewer tell differences above 10 % only."
                          : QString();
  m_length->setText("Takes " + length + " in all." + verdict);
}

std::optional<MeasureChoice> MeasureDialog::ask(const MeasureChoice& measure, QWidget* parent) {
  MeasureDialog dialog(measure, parent);
  if (dialog.exec() != QDialog::Accepted) return std::nullopt;
  return dialog.chosen();
}

}  // namespace millrace
