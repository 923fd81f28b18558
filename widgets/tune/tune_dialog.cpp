// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tune/tune_dialog.h"

#include <algorithm>
#include <thread>

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/common/format.h"
#include "widgets/common/note_strip.h"
#include "widgets/common/strings.h"
#include "widgets/inspector/field_row.h"
#include "widgets/models/document.h"

namespace millrace {

namespace {

constexpr int kPauseMs = 150;

double coresHere() { return std::max(1U, std::thread::hardware_concurrency()); }

std::string goalWords(TuneGoal goal) { return fromQt(shownGoal(goal)); }

const ParamSpec kGoal =
    choiceSpec("goal", "Optimise for", "The goal that the settings are optimised for.",
               {goalWords(TuneGoal::Throughput), goalWords(TuneGoal::Cost),
                goalWords(TuneGoal::Latency), goalWords(TuneGoal::EpochTime)});
const ParamSpec kBudget =
    numberSpec("budget", "Total time",
               "Includes the initial diagnosis. More time resolves smaller differences.", "seconds",
               ParamType::Real, 120, 5, 86400);
const ParamSpec kMemory = numberSpec("memory", "Memory limit", "No setting may use more.", "MB",
                                     ParamType::Integer, 0, 0, 1e7);
const ParamSpec kCores = numberSpec("cores", "Cores", "Number of cores that all trials run on.",
                                    "cores", ParamType::Integer, 0, 0, coresHere());
const ParamSpec kOrder =
    flagSpec("allow_order", "Order may change", "Samples may come in a different order.");
const ParamSpec kBatching =
    flagSpec("allow_batching", "Batching may change", "Batches may have a different size.");
const ParamSpec kValues = flagSpec(
    "allow_values", "Values may change",
    "Sample values may differ slightly, for example when pictures are decoded at a smaller scale.");

}  // namespace

TuneDialog::TuneDialog(Document& document, const TuneOrder& usual, QWidget* parent)
    : QDialog(parent),
      m_document(document),
      m_order(usual),
      m_variations(new VariationList(
          document, "Threads, queues and a cache are tried automatically.", "Add a parameter…")),
      m_fields(new FieldGrid),
      m_words(new QLabel),
      m_problem(new NoteStrip("error")),
      m_start(new QPushButton("Start")),
      m_copy(new QPushButton("Copy as command")) {
  setWindowTitle("Find the best settings of " + document.title());
  m_order.variations.clear();
  build();
  m_pause.setSingleShot(true);
  m_pause.setInterval(kPauseMs);
  connect(&m_pause, &QTimer::timeout, this, &TuneDialog::checkNow);
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

void TuneDialog::build() {
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(16, 14, 16, 8);
  column->setSpacing(8);
  auto* intro = new QLabel(
      "The tuner diagnoses the pipeline, tries the most promising settings, and measures the best "
      "against the unmodified pipeline. What training gets stays the same unless you allow "
      "changes.");
  intro->setProperty("role", "second");
  intro->setWordWrap(true);
  column->addWidget(intro);
  addFields();
  column->addWidget(m_fields);
  auto* line = new QFrame;
  line->setProperty("line", true);
  column->addWidget(line);
  column->addWidget(m_variations);
  column->addStretch(1);
  m_words->setWordWrap(true);
  layOutDialog(*this, content, m_problem, m_words, m_copy, m_start);
  resize(640, 500);
}

void TuneDialog::addFields() {
  TuneOrder& order = m_order;
  m_fields->add(kGoal, goalWords(order.goal), [&order](const Value& v) {
    const auto chosen = std::ranges::find(kGoal.choices, std::get<std::string>(v));
    order.goal = static_cast<TuneGoal>(chosen - kGoal.choices.begin());
  });
  m_fields->add(kBudget, order.budgetSeconds,
                [&order](const Value& v) { order.budgetSeconds = std::get<double>(v); });
  m_fields
      ->add(kMemory, static_cast<std::int64_t>(static_cast<double>(order.memoryBytes) / kMegabyte),
            [&order](const Value& v) {
              order.memoryBytes = std::get<std::int64_t>(v) * static_cast<std::int64_t>(kMegabyte);
            })
      .explain("0: no limit");
  m_fields
      ->add(kCores, std::int64_t{order.cores},
            [&order](const Value& v) { order.cores = static_cast<int>(std::get<std::int64_t>(v)); })
      .explain("0: all");
  addFlag(kOrder, SampleChange::Order);
  addFlag(kBatching, SampleChange::Batching);
  addFlag(kValues, SampleChange::Content);
}

void TuneDialog::addFlag(const ParamSpec& spec, SampleChange change) {
  m_fields->add(spec, m_order.allowed.allows(change), [this, change](const Value& v) {
    AllowedChanges allowed;
    for (const SampleChange each :
         {SampleChange::Order, SampleChange::Batching, SampleChange::Content})
      if (each == change ? std::get<bool>(v) : m_order.allowed.allows(each)) allowed.allow(each);
    m_order.allowed = allowed;
  });
}

void TuneDialog::checkNow() {
  m_pause.stop();
  m_order.variations = m_variations->variations();
  m_check = checkTune(m_document.graph(), m_document.catalog(), m_order);
  showCheck();
}

void TuneDialog::setObstacle(const QString& sentence) {
  m_obstacle = sentence;
  showCheck();
}

void TuneDialog::showCheck() {
  m_variations->showCheck(m_check.problems, m_check.axes);
  m_problem->say(m_obstacle.isEmpty() ? m_check.problem : m_obstacle);
  m_words->setVisible(m_check.ok());
  const QString cores = m_order.cores == 0 ? "all cores" : shownCount(m_order.cores, "core");
  const QString memory = m_order.memoryBytes == 0
                             ? QString("without a memory limit")
                             : "with up to " + shownNumber(m_order.memoryBytes / 1000000) + " MB";
  m_words->setText(
      QString("For the %1, on %2 %3: at most %4 in %5%6s, which includes the diagnosis.")
          .arg(shownGoal(m_order.goal), cores, memory, shownCount(m_check.trials, "trial"),
               shownNumber(m_order.budgetSeconds), QString(kNoBreak)));
  m_start->setEnabled(m_check.ok() && m_obstacle.isEmpty());
  m_copy->setEnabled(m_check.ok());
}

QString TuneDialog::words() const {
  const QString problem = m_problem->words();
  return problem.isEmpty() ? m_words->text() : problem;
}

}  // namespace millrace
