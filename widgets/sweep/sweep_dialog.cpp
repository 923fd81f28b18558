// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/sweep_dialog.h"

#include <algorithm>

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>

#include "widgets/charts/run_strip.h"
#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/note_strip.h"
#include "widgets/common/search_popup.h"
#include "widgets/common/strings.h"
#include "widgets/inspector/field_row.h"
#include "widgets/models/document.h"
#include "widgets/models/node_face.h"
#include "widgets/sweep/sweep_axis_row.h"

namespace millrace {

namespace {

constexpr int kPauseMs = 150;
constexpr double kMegabyte = 1e6;

ParamSpec number(const char* name, const char* label, const char* help, const char* unit,
                 ParamType type, double usual, double least, double most) {
  ParamSpec spec;
  spec.name = name;
  spec.label = label;
  spec.help = help;
  spec.unit = unit;
  spec.type = type;
  spec.minimum = least;
  spec.maximum = most;
  if (type == ParamType::Integer)
    spec.defaultValue = static_cast<std::int64_t>(usual);
  else
    spec.defaultValue = usual;
  return spec;
}

const ParamSpec kRepeats =
    number("repeats", "Repeats", "How often each setting is measured: once in each block.", "",
           ParamType::Integer, 3, 1, 1000);
const ParamSpec kSeconds = number("seconds", "Measured", "How long each repeat is measured.",
                                  "seconds", ParamType::Real, 5, 0.1, 3600);
const ParamSpec kWarmup =
    number("warmup", "Warm-up", "Seconds before each repeat that do not count.", "seconds",
           ParamType::Real, 2, 0, 3600);
const ParamSpec kPart =
    number("part", "Draw only", "So many settings, drawn at random from all; 0: all of them.",
           "settings", ParamType::Integer, 0, 0, static_cast<double>(kMostPoints));
const ParamSpec kTrialSeconds =
    number("trial_timeout", "Time limit",
           "A trial that takes longer has failed; 0: a minute and ten times what it should take.",
           "seconds", ParamType::Real, 0, 0, 86400);
const ParamSpec kTrialMemory =
    number("trial_memory", "Memory limit", "A trial that takes more has failed; 0: no limit.", "MB",
           ParamType::Integer, 0, 0, 1e9);

double realOf(const Value& value) { return std::get<double>(value); }
std::int64_t wholeOf(const Value& value) { return std::get<std::int64_t>(value); }

}  // namespace

SweepDialog::SweepDialog(Document& document, const SweepOrder& usual, QWidget* parent)
    : QDialog(parent),
      m_document(document),
      m_order(usual),
      m_axes(new QVBoxLayout),
      m_none(new QLabel("No parameter is varied yet.")),
      m_words(new QLabel),
      m_problem(new NoteStrip("error")),
      m_start(new QPushButton("Start")),
      m_copy(new QPushButton("Copy as command")),
      m_search(new SearchPopup(this)) {
  setWindowTitle("Sweep of " + document.title());
  m_order.variations.clear();
  build();
  m_pause.setSingleShot(true);
  m_pause.setInterval(kPauseMs);
  connect(&m_pause, &QTimer::timeout, this, &SweepDialog::checkNow);
  connect(&document, &Document::changed, this, &SweepDialog::changed);
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
      "Every setting is measured once in each block, in random order, so that what slows the "
      "machine for a while slows all alike. A setting that fails is a result too.");
  intro->setProperty("role", "second");
  intro->setWordWrap(true);
  column->addWidget(intro);
  m_none->setProperty("role", "hint");
  m_axes->addWidget(m_none);
  column->addLayout(m_axes);
  auto* more = new QPushButton("Vary another parameter…");
  more->setIcon(icon("plus"));
  connect(more, &QPushButton::clicked, this, &SweepDialog::chooseParameter);
  column->addWidget(more, 0, Qt::AlignLeft);
  auto* line = new QFrame;
  line->setProperty("line", true);
  column->addWidget(line);
  addFields(*column);
  column->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setWidget(content);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(scroll, 1);
  auto* foot = new QVBoxLayout;
  foot->setContentsMargins(16, 4, 16, 12);
  foot->addWidget(m_problem);
  m_words->setWordWrap(true);
  foot->addWidget(m_words);
  auto* buttons = new QHBoxLayout;
  auto* close = new QPushButton("Close");
  connect(close, &QPushButton::clicked, this, &QDialog::reject);
  m_start->setProperty("primary", true);
  m_start->setDefault(true);
  m_start->setIcon(icon("play", Tone::AccentText));
  buttons->addWidget(m_copy);
  buttons->addStretch(1);
  buttons->addWidget(close);
  buttons->addWidget(m_start);
  foot->addLayout(buttons);
  all->addLayout(foot);
  resize(640, 520);
}

void SweepDialog::addField(const ParamSpec& spec, const Value& value,
                           std::function<void(const Value&)> take) {
  auto* row = new FieldRow(spec);
  row->setObjectName("field_" + toQt(spec.name));
  row->show(value);
  m_fields.push_back(row);
  connect(row, &FieldRow::edited, this, [this, row, take = std::move(take)](const Value& edited) {
    take(edited);
    row->show(edited);
    changed();
  });
}

void SweepDialog::addFields(QVBoxLayout& column) {
  SweepOrder& order = m_order;
  addField(kRepeats, std::int64_t{order.repeats},
           [&order](const Value& v) { order.repeats = static_cast<int>(wholeOf(v)); });
  addField(kSeconds, order.seconds, [&order](const Value& v) { order.seconds = realOf(v); });
  addField(kWarmup, order.warmupSeconds,
           [&order](const Value& v) { order.warmupSeconds = realOf(v); });
  addField(kPart, static_cast<std::int64_t>(order.design.count), [&order](const Value& v) {
    const auto count = static_cast<std::size_t>(wholeOf(v));
    using Kind = SweepDesign::Kind;
    order.design = {count == 0 ? Kind::Full : Kind::Random, count};
  });
  addField(kTrialSeconds, order.trialSeconds,
           [&order](const Value& v) { order.trialSeconds = realOf(v); });
  addField(kTrialMemory,
           static_cast<std::int64_t>(static_cast<double>(order.trialBytes) / kMegabyte),
           [&order](const Value& v) {
             order.trialBytes = wholeOf(v) * static_cast<std::int64_t>(kMegabyte);
           });
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(16);
  for (std::size_t i = 0; i < m_fields.size(); ++i)
    grid->addWidget(m_fields[i], static_cast<int>(i) / 2, static_cast<int>(i) % 2, Qt::AlignTop);
  column.addLayout(grid);
}

void SweepDialog::add(const NodeId& node, const std::string& param) {
  for (SweepAxisRow* row : m_rows)
    if (row->variation().node == node && row->variation().param == param)
      return row->line().setFocus();
  const GraphNode* found = m_document.graph().node(node);
  const NodeSpec* kind = m_document.specOf(node);
  const ParamSpec* spec = found == nullptr || kind == nullptr ? nullptr : kind->param(param);
  if (spec == nullptr) return;
  const auto proposed = proposedValues(*spec, valueOf(*found, *spec));
  auto* row = new SweepAxisRow(
      {node, param, proposed.empty() ? std::string() : fromQt(proposed.front().values)}, *spec,
      titleOf(*found, kind) + " › " + toQt(spec->label));
  m_rows.push_back(row);
  m_axes->addWidget(row);
  connect(row, &SweepAxisRow::edited, this, &SweepDialog::changed);
  connect(row, &SweepAxisRow::removeRequested, this, [this, row] { remove(row); });
  checkNow();
  row->line().setFocus();
  row->line().selectAll();
}

void SweepDialog::remove(SweepAxisRow* row) {
  std::erase(m_rows, row);
  m_axes->removeWidget(row);
  row->hide();
  row->deleteLater();
  changed();
}

void SweepDialog::chooseParameter() {
  std::vector<SearchEntry> entries;
  for (const GraphNode& node : m_document.graph().nodes) {
    const NodeSpec* kind = m_document.specOf(node.id);
    if (kind == nullptr || node.state == NodeState::Bypass) continue;
    for (const ParamSpec& param : kind->params) {
      const QString key = toQt(node.id + "." + param.name);
      const QString text = titleOf(node, kind) + " › " + toQt(param.label);
      entries.push_back({key, text, shownValue(param, valueOf(node, param)),
                         (text + ' ' + key).toLower(), icon(iconOf(*kind))});
    }
  }
  m_search->open("Find a parameter", std::move(entries), mapToGlobal(QPoint(180, 60)),
                 [this](const QString& key) {
                   add(fromQt(key.section('.', 0, 0)), fromQt(key.section('.', 1)));
                 });
}

void SweepDialog::changed() { m_pause.start(); }

void SweepDialog::checkNow() {
  m_pause.stop();
  m_order.variations.clear();
  for (const SweepAxisRow* row : m_rows) m_order.variations.push_back(row->variation());
  m_check = checkSweep(m_document.graph(), m_document.catalog(), m_document.base(), m_order);
  showCheck();
}

void SweepDialog::setObstacle(const QString& sentence) {
  m_obstacle = sentence;
  showCheck();
}

void SweepDialog::showCheck() {
  m_none->setVisible(m_rows.empty());
  for (std::size_t i = 0; i < m_rows.size() && i < m_check.problems.size(); ++i) {
    const SweepVariation variation = m_rows[i]->variation();
    const GraphNode* node = m_document.graph().node(variation.node);
    const NodeSpec* kind = m_document.specOf(variation.node);
    const ParamSpec* spec = kind == nullptr ? nullptr : kind->param(variation.param);
    if (node != nullptr && spec != nullptr) m_rows[i]->setCurrent(valueOf(*node, *spec));
    const SweepAxis* axis = m_check.plan ? &m_check.plan->axes[i] : nullptr;
    m_rows[i]->show(m_check.problems[i], axis);
  }
  // Without a row the hint above says it.
  m_problem->say(!m_obstacle.isEmpty() ? m_obstacle : m_rows.empty() ? QString() : m_check.problem);
  m_words->setVisible(m_check.ok());
  if (m_check.ok()) {
    QString length = leftWords(m_check.seconds);
    length.chop(5);  // " left"
    const std::size_t settings = m_check.plan->points.size();
    QString words = QString("%1 settings, %2 trials, about %3.")
                        .arg(shownNumber(static_cast<std::int64_t>(settings)),
                             shownNumber(static_cast<std::int64_t>(m_check.trials)), length);
    if (!m_check.plan->points[m_check.plan->current()].designed)
      words += " The current setting is measured too.";
    m_words->setText(words);
  }
  m_start->setEnabled(m_check.ok() && m_obstacle.isEmpty());
  m_copy->setEnabled(m_check.ok());
}

QString SweepDialog::words() const { return m_check.ok() ? m_words->text() : m_problem->words(); }

}  // namespace millrace
