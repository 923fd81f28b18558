// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/sweep_dialog.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/charts/run_strip.h"
#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/note_strip.h"
#include "widgets/inspector/field_row.h"
#include "widgets/models/document.h"

namespace millrace {

namespace {

constexpr int kPauseMs = 150;

const ParamSpec kRepeats =
    numberSpec("repeats", "Repeats", "How often each setting is measured, once in each block.", "",
               ParamType::Integer, 3, 1, 1000);
const ParamSpec kSeconds = numberSpec("seconds", "Measured", "How long each repeat is measured.",
                                      "seconds", ParamType::Real, 5, 0.1, 3600);
const ParamSpec kWarmup =
    numberSpec("warmup", "Warm-up", "Time before each repeat that is not counted.", "seconds",
               ParamType::Real, 2, 0, 3600);
const ParamSpec kPart =
    numberSpec("part", "Random subset", "Number of settings drawn at random from all.", "settings",
               ParamType::Integer, 0, 0, static_cast<double>(kMostPoints));
const ParamSpec kTrialSeconds =
    numberSpec("trial_timeout", "Time limit", "A trial that takes longer fails.", "seconds",
               ParamType::Real, 0, 0, 86400);
const ParamSpec kTrialMemory =
    numberSpec("trial_memory", "Memory limit", "A trial that uses more memory fails.", "MB",
               ParamType::Integer, 0, 0, 1e9);

double realOf(const Value& value) { return std::get<double>(value); }
std::int64_t wholeOf(const Value& value) { return std::get<std::int64_t>(value); }

}  // namespace

SweepDialog::SweepDialog(Document& document, const SweepOrder& usual, QWidget* parent)
    : QDialog(parent),
      m_document(document),
      m_order(usual),
      m_variations(new VariationList(document, "No parameter is varied yet.", "Vary a parameter…")),
      m_fields(new FieldGrid),
      m_words(new QLabel),
      m_problem(new NoteStrip("error")),
      m_start(new QPushButton("Start")),
      m_copy(new QPushButton("Copy as command")) {
  setWindowTitle("Sweep of " + document.title());
  m_order.variations.clear();
  build();
  m_pause.setSingleShot(true);
  m_pause.setInterval(kPauseMs);
  connect(&m_pause, &QTimer::timeout, this, &SweepDialog::checkNow);
  const auto soon = [this] { m_pause.start(); };
  connect(&document, &Document::changed, this, soon);
  connect(m_fields, &FieldGrid::changed, this, soon);
  connect(m_variations, &VariationList::changed, this, soon);
  connect(m_start, &QPushButton::clicked, this, [this] {
    checkNow();
    if (m_check.ok() && m_obstacle.isEmpty()) emit startRequested(m_order);
  });
  connect(m_copy, &QPushButton::clicked, this, [this] { emit commandRequested(m_order); });
  checkNow();
}

void SweepDialog::build() {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(16, 14, 16, 8);
  column->setSpacing(8);
  auto* intro = new QLabel(
      "Every setting is measured once in each block, in random order, so that temporary "
      "slowdowns of the machine affect all settings equally. A failed setting is a result, too.");
  intro->setProperty("role", "second");
  intro->setWordWrap(true);
  column->addWidget(intro);
  column->addWidget(m_variations);
  auto* line = new QFrame;
  line->setProperty("line", true);
  column->addWidget(line);
  addFields();
  column->addWidget(m_fields);
  column->addStretch(1);
  m_words->setWordWrap(true);
  layOutDialog(*this, content, m_problem, m_words, m_copy, m_start);
  resize(640, 520);
}

void SweepDialog::addFields() {
  SweepOrder& order = m_order;
  FieldGrid& grid = *m_fields;
  grid.add(kRepeats, std::int64_t{order.repeats},
           [&order](const Value& v) { order.repeats = static_cast<int>(wholeOf(v)); });
  grid.add(kSeconds, order.seconds, [&order](const Value& v) { order.seconds = realOf(v); });
  grid.add(kWarmup, order.warmupSeconds,
           [&order](const Value& v) { order.warmupSeconds = realOf(v); });
  grid.add(kPart, static_cast<std::int64_t>(order.design.count),
           [&order](const Value& v) {
             const auto count = static_cast<std::size_t>(wholeOf(v));
             using Kind = SweepDesign::Kind;
             order.design = {count == 0 ? Kind::Full : Kind::Random, count};
           })
      .explain("0: all");
  grid.add(kTrialSeconds, order.trialSeconds,
           [&order](const Value& v) { order.trialSeconds = realOf(v); })
      .explain("0: a minute plus ten times the expected time");
  grid.add(kTrialMemory,
           static_cast<std::int64_t>(static_cast<double>(order.trialBytes) / kMegabyte),
           [&order](const Value& v) {
             order.trialBytes = wholeOf(v) * static_cast<std::int64_t>(kMegabyte);
           })
      .explain("0: no limit");
}

void SweepDialog::add(const NodeId& node, const std::string& param) {
  m_variations->add(node, param);
  checkNow();
}

void SweepDialog::checkNow() {
  m_pause.stop();
  m_order.variations = m_variations->variations();
  m_check = checkSweep(m_document.graph(), m_document.catalog(), m_document.base(), m_order);
  showCheck();
}

void SweepDialog::setObstacle(const QString& sentence) {
  m_obstacle = sentence;
  showCheck();
}

void SweepDialog::showCheck() {
  std::vector<std::optional<SweepAxis>> axes;
  if (m_check.plan) axes.assign(m_check.plan->axes.begin(), m_check.plan->axes.end());
  m_variations->showCheck(m_check.problems, axes);
  // Without any row, the hint above is enough.
  m_problem->say(!m_obstacle.isEmpty() ? m_obstacle : rows().empty() ? QString() : m_check.problem);
  m_words->setVisible(m_check.ok());
  if (m_check.ok()) {
    QString length = timeLeftText(m_check.seconds);
    length.chop(5);  // " left"
    const std::size_t settings = m_check.plan->points.size();
    QString words =
        QString("%1, %2, about %3.")
            .arg(shownCount(static_cast<std::int64_t>(settings), "setting"),
                 shownCount(static_cast<std::int64_t>(m_check.trials), "trial"), length);
    if (!m_check.plan->points[m_check.plan->current()].designed)
      words += " The current setting is also measured.";
    m_words->setText(words);
  }
  m_start->setEnabled(m_check.ok() && m_obstacle.isEmpty());
  m_copy->setEnabled(m_check.ok());
}

QString SweepDialog::words() const { return m_check.ok() ? m_words->text() : m_problem->words(); }

}  // namespace millrace
