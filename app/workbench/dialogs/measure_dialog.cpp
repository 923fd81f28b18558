// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/dialogs/measure_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QVBoxLayout>

#include "widgets/charts/run_strip.h"
#include "widgets/sweep/field_grid.h"

namespace millrace {

namespace {

const ParamSpec kWarmup =
    numberSpec("warmup", "Warm-up", "Time before each repeat that is not counted.", "seconds",
               ParamType::Real, 2, 0, 3600);
const ParamSpec kSeconds = numberSpec("seconds", "Measured", "How long each repeat is measured.",
                                      "seconds", ParamType::Real, 5, 0.5, 3600);
const ParamSpec kRepeats = numberSpec("repeats", "Repeats", "How often the pipeline is measured.",
                                      "", ParamType::Integer, 3, 1, 1000);

}  // namespace

MeasureDialog::MeasureDialog(const MeasureChoice& measure, QWidget* parent)
    : QDialog(parent), m_measure(measure), m_length(new QLabel) {
  setWindowTitle("How a run is measured");
  auto* fields = new FieldGrid;
  MeasureChoice& chosen = m_measure;
  fields->add(kWarmup, chosen.warmupSeconds,
              [&chosen](const Value& v) { chosen.warmupSeconds = std::get<double>(v); });
  fields->add(kSeconds, chosen.seconds,
              [&chosen](const Value& v) { chosen.seconds = std::get<double>(v); });
  fields->add(kRepeats, std::int64_t{chosen.repeats}, [&chosen](const Value& v) {
    chosen.repeats = static_cast<int>(std::get<std::int64_t>(v));
  });
  m_length->setProperty("role", "second");
  m_length->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 14, 16, 12);
  column->setSpacing(10);
  column->addWidget(fields);
  column->addWidget(m_length);
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(fields, &FieldGrid::changed, this, &MeasureDialog::showLength);
  showLength();
  resize(560, sizeHint().height());
}

void MeasureDialog::showLength() {
  QString length = timeLeftText(m_measure.repeats * (m_measure.warmupSeconds + m_measure.seconds));
  length.chop(5);  // " left"
  const QString verdict =
      m_measure.repeats < 3
          ? " A verdict needs 3 repeats; fewer only reveal differences above 10 %."
          : QString();
  m_length->setText("Takes " + length + " in all." + verdict);
}

std::optional<MeasureChoice> MeasureDialog::ask(const MeasureChoice& measure, QWidget* parent) {
  MeasureDialog dialog(measure, parent);
  if (dialog.exec() != QDialog::Accepted) return std::nullopt;
  return dialog.chosen();
}

}  // namespace millrace
