// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/dialogs/measure_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/run/failure_budget.h"
#include "widgets/charts/run_strip.h"
#include "widgets/common/note_strip.h"
#include "widgets/common/strings.h"
#include "widgets/inspector/field_row.h"
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

const ParamSpec kEpochs = numberSpec("epochs", "Epochs", "Measures whole epochs instead of a time.",
                                     "epochs", ParamType::Integer, 0, 0, 1000);
const ParamSpec kRanks =
    numberSpec("ranks", "Ranks", "Processes, each on a part of the data; they need a Shard node.",
               "", ParamType::Integer, 1, 1, 64);
const ParamSpec kCold = flagSpec("cold", "Cold cache",
                                 "Drops the data from the page cache before each repeat, so that "
                                 "it is read from storage.");
const ParamSpec kFailures =
    textSpec("max_failures", "Samples that may fail", "With more failed samples, a run fails.");
const ParamSpec kName = textSpec("name", "Name", "Name of the next runs, in the table of runs.");
const ParamSpec kTags = textSpec("tags", "Tags", "Tags of the next runs, to find them by.");

QStringList tagsIn(const std::string& text) {
  QStringList tags;
  for (const QString& tag : toQt(text).split(',', Qt::SkipEmptyParts))
    if (!tag.trimmed().isEmpty()) tags << tag.trimmed();
  return tags;
}

}  // namespace

MeasureDialog::MeasureDialog(const MeasureChoice& measure, QWidget* parent)
    : QDialog(parent), m_measure(measure), m_length(new QLabel), m_problem(new NoteStrip("error")) {
  setWindowTitle("How a run is measured");
  auto* fields = new FieldGrid;
  addFields(*fields);
  m_length->setProperty("role", "second");
  m_length->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  m_ok = buttons->button(QDialogButtonBox::Ok);
  m_ok->setDefault(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 14, 16, 12);
  column->setSpacing(10);
  column->addWidget(fields);
  column->addStretch(1);
  column->addWidget(m_problem);
  column->addWidget(m_length);
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(fields, &FieldGrid::changed, this, &MeasureDialog::showLength);
  showLength();
  resize(600, sizeHint().height());
}

void MeasureDialog::addFields(FieldGrid& fields) {
  MeasureChoice& chosen = m_measure;
  const auto whole = [&fields](const ParamSpec& spec, int& number) {
    return &fields.add(spec, std::int64_t{number}, [&number](const Value& v) {
      number = static_cast<int>(std::get<std::int64_t>(v));
    });
  };
  const auto text = [&fields](const ParamSpec& spec, QString& value) {
    return &fields.add(spec, fromQt(value), [&value](const Value& v) {
      value = toQt(std::get<std::string>(v)).trimmed();
    });
  };
  fields.add(kWarmup, chosen.warmupSeconds,
             [&chosen](const Value& v) { chosen.warmupSeconds = std::get<double>(v); });
  fields.add(kSeconds, chosen.seconds,
             [&chosen](const Value& v) { chosen.seconds = std::get<double>(v); });
  whole(kRepeats, chosen.repeats);
  whole(kEpochs, chosen.epochs)->explain("0: a time is measured");
  whole(kRanks, chosen.ranks);
  fields.add(kCold, chosen.cold, [&chosen](const Value& v) { chosen.cold = std::get<bool>(v); });
  text(kFailures, chosen.maxFailures)
      ->explain("a number or a share, such as 20 or 2%; empty: " + toQt(FailureLimit().text()));
  text(kName, chosen.name);
  fields
      .add(kTags, fromQt(chosen.tags.join(", ")),
           [&chosen](const Value& v) { chosen.tags = tagsIn(std::get<std::string>(v)); })
      .explain("separated by commas");
}

QString MeasureDialog::problem() const {
  if (m_measure.cold && m_measure.ranks > 1)
    return "A cold cache and several ranks exclude each other: a rank would drop data that another "
           "one reads.";
  if (m_measure.maxFailures.isEmpty()) return {};
  const auto limit = FailureLimit::parse(fromQt(m_measure.maxFailures));
  return limit ? QString() : "Samples that may fail: " + sentence(limit.error().message);
}

void MeasureDialog::showLength() {
  m_problem->say(problem());
  m_ok->setEnabled(problem().isEmpty());
  QString length = timeLeftText(m_measure.repeats * (m_measure.warmupSeconds + m_measure.seconds));
  length.chop(5);  // " left"
  const QString verdict =
      m_measure.repeats < 3
          ? " A verdict needs 3 repeats; fewer only reveal differences above 10 %."
          : QString();
  const bool byTime = m_measure.epochs == 0;
  m_length->setText((byTime ? "Takes " + length + " in all." : "Takes whole epochs.") + verdict);
}

std::optional<MeasureChoice> MeasureDialog::ask(const MeasureChoice& measure, QWidget* parent) {
  MeasureDialog dialog(measure, parent);
  if (dialog.exec() != QDialog::Accepted) return std::nullopt;
  return dialog.chosen();
}

}  // namespace millrace
