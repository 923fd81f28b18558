// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/inspector_panel.h"

#include <algorithm>
#include <utility>

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include "widgets/canvas/editor/edit_session.h"
#include "widgets/common/format.h"
#include "widgets/common/icon_mark.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/inspector/inspector_text.h"
#include "widgets/inspector/node_run_view.h"
#include "widgets/models/node_display.h"
#include "widgets/models/problem_words.h"

namespace millrace {

namespace {

constexpr int kLeastPanelWidth = 300;

const ParamSpec& seedSpec() {
  static const ParamSpec spec = [] {
    ParamSpec seed;
    seed.name = "seed";
    seed.label = "Seed";
    seed.help = "All random draws derive from it: the same seed gives the same batches.";
    seed.type = ParamType::Integer;
    seed.defaultValue = Value{std::int64_t{0}};
    seed.minimum = 0;
    return seed;
  }();
  return spec;
}

/// Parameters that all of these kinds have, with the same type and range.
std::vector<const ParamSpec*> commonParams(const std::vector<const NodeSpec*>& kinds) {
  std::vector<const ParamSpec*> common;
  if (kinds.empty()) return common;
  for (const ParamSpec& param : kinds.front()->params) {
    const bool everywhere = std::ranges::all_of(kinds, [&](const NodeSpec* kind) {
      const ParamSpec* other = kind->param(param.name);
      return other != nullptr && other->type == param.type && other->choices == param.choices &&
             other->minimum == param.minimum && other->maximum == param.maximum;
    });
    if (everywhere) common.push_back(&param);
  }
  return common;
}

}  // namespace

InspectorPanel::InspectorPanel(QWidget* parent) : QScrollArea(parent) {
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
  setAccessibleName("Inspector");
  rebuild();
}

QSize InspectorPanel::minimumSizeHint() const {
  QSize least = QScrollArea::minimumSizeHint();
  const int beside = verticalScrollBar()->sizeHint().width() + 2 * frameWidth();
  const int content = widget() == nullptr ? 0 : widget()->minimumSizeHint().width();
  least.setWidth(std::max(kLeastPanelWidth, content + beside));
  return least;
}

bool InspectorPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
  return QScrollArea::eventFilter(watched, event);
}

void InspectorPanel::setSession(EditSession* session) {
  release();
  for (const auto& connection : m_connections) disconnect(connection);
  m_connections.clear();
  m_session = session;
  if (session != nullptr)
    m_connections = {
        connect(&session->selection, &Selection::changed, this, &InspectorPanel::rebuild),
        connect(&session->document, &Document::replaced, this, &InspectorPanel::rebuild),
        connect(&session->document, &Document::changed, this, &InspectorPanel::refresh),
        connect(&session->check, &BackgroundCheck::finished, this, &InspectorPanel::showProblems),
    };
  rebuild();
}

std::vector<NodeId> InspectorPanel::inspected() const {
  return m_session == nullptr ? std::vector<NodeId>{} : m_session->selection.nodes();
}

std::vector<const NodeSpec*> InspectorPanel::kindsOf(const std::vector<NodeId>& ids) const {
  std::vector<const NodeSpec*> kinds;
  for (const NodeId& id : ids)
    if (const NodeSpec* spec = m_session->document.specOf(id)) kinds.push_back(spec);
  if (kinds.size() != ids.size()) kinds.clear();  // An unknown kind has no fields.
  return kinds;
}

void InspectorPanel::release() {
  // When a field loses the focus it delivers its text, which must happen while m_ids are still the
  // old nodes. The old body may be the sender of the current signal, so it is deleted later.
  if (QWidget* old = takeWidget()) old->deleteLater();
  m_rows.clear();
  m_ids.clear();
  m_bypass = nullptr;
  m_run = nullptr;
  m_subtitle = m_title = m_nodeProblems = m_stream = nullptr;
}

void InspectorPanel::rebuild() {
  release();
  m_ids = inspected();
  auto* body = new QWidget;
  m_column = new QVBoxLayout(body);
  m_column->setContentsMargins(12, 12, 12, 12);
  m_column->setSpacing(8);
  if (m_session != nullptr) {
    addHead();
    addRun();
    addFields();
  }
  m_column->addStretch(1);
  setWidget(body);
  refresh();
  showProblems();
}

void InspectorPanel::addSection(const QString& title) {
  auto* line = new QFrame;
  line->setProperty("line", true);
  m_column->addWidget(line);
  auto* label = new QLabel(title);
  label->setProperty("role", "section");
  m_column->addWidget(label);
}

void InspectorPanel::addHead() {
  auto* row = new QHBoxLayout;
  row->setSpacing(10);
  const auto kinds = kindsOf(m_ids);
  const bool same = !kinds.empty() && std::ranges::count(kinds, kinds.front()) ==
                                          static_cast<std::ptrdiff_t>(kinds.size());
  if (same) {
    row->addWidget(new IconMark(iconOf(*kinds.front()), kinds.front()->category, 36), 0,
                   Qt::AlignTop);
  }
  auto* texts = new QVBoxLayout;
  texts->setSpacing(2);
  m_title = new QLabel;
  m_title->setFont(uiFont(15, true));
  m_title->setWordWrap(true);
  m_subtitle = textLabel({}, "second");
  texts->addWidget(m_title);
  texts->addWidget(m_subtitle);
  row->addLayout(texts, 1);
  m_column->addLayout(row);
  if (same) m_column->addWidget(textLabel(richSentence(kinds.front()->help), "second"));
  if (m_ids.empty()) return;
  auto* buttons = new QHBoxLayout;
  m_bypass = new QPushButton("Bypass");
  m_bypass->setToolTip("Skip this node: the stream passes unchanged (B)");
  connect(m_bypass, &QPushButton::clicked, this, [this] { m_session->editor.toggleBypass(); });
  buttons->addWidget(m_bypass);
  buttons->addStretch(1);
  if (same) {
    auto* help = new QPushButton("Help");
    help->setProperty("link", true);
    help->setIcon(icon("help", Tone::Accent));
    help->setToolTip("Documentation of this kind (F1)");
    connect(help, &QPushButton::clicked, this,
            [this, kind = toQt(kinds.front()->kind)] { emit helpRequested(kind); });
    buttons->addWidget(help);
  }
  m_column->addLayout(buttons);
  m_nodeProblems = textLabel({}, "second");
  m_nodeProblems->hide();
  m_column->addWidget(m_nodeProblems);
}

void InspectorPanel::addRun() {
  if (m_ids.size() != 1) return;
  m_run = new NodeRunView;
  m_column->addWidget(m_run);
  showRun();
}

void InspectorPanel::showRun() {
  if (m_run != nullptr) m_run->showRun(m_ranOf ? m_ranOf(m_ids.front()) : std::nullopt);
}

QString InspectorPanel::runText() const { return m_run == nullptr ? QString() : m_run->text(); }

void InspectorPanel::addFields() {
  if (m_ids.empty()) {
    if (!m_session->selection.wire()) addSeed();
  } else {
    const auto params = commonParams(kindsOf(m_ids));
    addSection(m_ids.size() == 1 ? "Parameters"
               : params.empty()  ? "No parameters in common"
                                 : "Parameters in common");
    if (m_ids.size() == 1 && params.empty()) {
      const bool known = m_session->document.specOf(m_ids.front()) != nullptr;
      m_column->addWidget(textLabel(
          known ? "This kind has no parameters."
                : "This version does not know this kind. The node is kept unchanged in the file.",
          "hint"));
    }
    for (const ParamSpec* param : params) {
      auto* row = new FieldRow(*param);
      row->setObjectName("field_" + toQt(param->name));
      m_rows.push_back(row);
      m_column->addWidget(row);
      connect(row, &FieldRow::edited, this, [this, param](const Value& value) {
        const Graph& graph = m_session->document.graph();
        if (std::ranges::all_of(m_ids, [&](const NodeId& id) { return graph.node(id) != nullptr; }))
          m_session->editor.setParameter(m_ids, *param, value);
      });
      connect(row, &FieldRow::finished, this, [this] { m_session->document.endMerge(); });
      connect(row, &FieldRow::left, this, &InspectorPanel::left);
      auto* sweep = new QAction(icon("sweep"), "S&weep this parameter…", row);
      row->addAction(sweep);
      connect(sweep, &QAction::triggered, this, [this, param] {
        for (const NodeId& id : std::vector(m_ids))
          emit sweepRequested(toQt(id), toQt(param->name));
      });
    }
  }
  if (m_ids.size() == 1 || m_session->selection.wire()) {
    addSection(m_ids.empty() ? "Stream on this wire" : "Stream at the output");
    m_stream = textLabel({}, "second");
    m_column->addWidget(m_stream);
  }
}

void InspectorPanel::addSeed() {
  addSection("Pipeline");
  auto* row = new FieldRow(seedSpec());
  row->setObjectName("field_seed");
  m_rows.push_back(row);
  m_column->addWidget(row);
  connect(row, &FieldRow::edited, this, [this](const Value& value) {
    Graph after = m_session->document.graph();
    after.seed = static_cast<std::uint64_t>(std::get<std::int64_t>(value));
    m_session->document.edit("Seed: " + shownValue(seedSpec(), value), std::move(after), "seed");
  });
  connect(row, &FieldRow::finished, this, [this] { m_session->document.endMerge(); });
  connect(row, &FieldRow::left, this, &InspectorPanel::left);
  m_column->addWidget(textLabel("Select a node to see its settings.", "hint"));
}

void InspectorPanel::refresh() {
  if (m_session == nullptr || m_title == nullptr) return;
  const Graph& graph = m_session->document.graph();
  if (std::ranges::any_of(m_ids, [&](const NodeId& id) { return graph.node(id) == nullptr; }))
    return;  // The selection is about to remove them.
  if (m_ids.size() == 1) {
    const GraphNode& node = *graph.node(m_ids.front());
    const NodeSpec* spec = m_session->document.specOf(node.id);
    QString category = spec == nullptr ? QString("Unknown kind") : toQt(nameOf(spec->category));
    category[0] = category[0].toUpper();
    m_title->setText(titleOf(node, spec));
    m_subtitle->setText(category + " · id <code>" + toQt(node.id) + "</code>");
  } else if (m_ids.empty()) {
    const auto wire = m_session->selection.wire();
    m_title->setText(wire ? "Wire" : m_session->document.title());
    m_subtitle->setText(
        wire ? m_session->editor.titleOf(wire->from) + " to " + m_session->editor.titleOf(wire->to)
             : shownCount(static_cast<std::int64_t>(graph.nodes.size()), "node") + ", " +
                   shownCount(static_cast<std::int64_t>(graph.wires.size()), "wire"));
  } else {
    m_title->setText(QString("%1 nodes").arg(m_ids.size()));
    QStringList titles;
    for (const NodeId& id : m_ids) titles << m_session->editor.titleOf(id);
    m_subtitle->setText(titles.join(", "));
  }
  if (m_bypass != nullptr) {
    const auto why = m_session->editor.whyNoBypass();
    m_bypass->setEnabled(!why);
    m_bypass->setToolTip(why.value_or("Skip this node: the stream passes unchanged (B)"));
    const bool bypassed = std::ranges::all_of(
        m_ids, [&](const NodeId& id) { return graph.node(id)->state == NodeState::Bypass; });
    m_bypass->setText(bypassed ? "Use again" : "Bypass");
  }
  for (FieldRow* row : m_rows) {
    if (m_ids.empty()) {
      row->show(Value{static_cast<std::int64_t>(graph.seed)});
      continue;
    }
    std::optional<Value> shown = valueOf(*graph.node(m_ids.front()), row->spec());
    for (const NodeId& id : m_ids)
      if (valueOf(*graph.node(id), row->spec()) != *shown) {
        shown.reset();
        break;
      }
    row->show(shown);
    row->showUse(whyUnused(row->spec()));
  }
}

/// Why a parameter has no effect in any of the shown nodes; empty if it has one.
QString InspectorPanel::whyUnused(const ParamSpec& spec) const {
  const NodeSpec* kind = m_session->document.specOf(m_ids.front());
  const Graph& graph = m_session->document.graph();
  const bool used = std::ranges::any_of(m_ids, [&](const NodeId& id) {
    const NodeSpec* own = m_session->document.specOf(id);
    const ParamSpec* param = own == nullptr ? nullptr : own->param(spec.name);
    return param == nullptr || isUsed(*graph.node(id), *own, *param);
  });
  if (used || kind == nullptr || !spec.usedWith) return {};
  const ParamSpec* other = kind->param(spec.usedWith->param);
  if (other == nullptr) return {};
  return "Used if " + toQt(spec.usedWith->text(*other, other->label));
}

void InspectorPanel::changeEvent(QEvent* event) {
  QScrollArea::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) showProblems();
}

void InspectorPanel::showProblems() {
  if (m_session == nullptr) return;
  std::vector<Problem> all;  // of the shown nodes
  for (const Problem& problem : m_session->check.result().problems.all())
    if (std::ranges::find(m_ids, problem.node) != m_ids.end())
      all.push_back(withTitles(problem, m_session->document));
  for (FieldRow* row : m_rows) {
    std::vector<Problem> own;
    for (const Problem& problem : all)
      if (problem.field == row->spec().name) own.push_back(problem);
    row->showProblems(own);
  }
  if (m_nodeProblems != nullptr) {
    QStringList lines;
    bool error = false;
    for (const Problem& problem : all) {
      const bool inField = std::ranges::any_of(
          m_rows, [&](const FieldRow* row) { return row->spec().name == problem.field; });
      if (inField) continue;
      error = error || problem.severity == Severity::Error;
      lines << richSentence(problem.message) + " " + richSentence(problem.remedy);
    }
    lines.removeDuplicates();  // Several nodes may yield the same sentence.
    const QString colour = theme()[error ? Tone::Error : Tone::Warning].name();
    m_nodeProblems->setText(lines.isEmpty() ? QString()
                                            : "<span style='color:" + colour + "'>" +
                                                  lines.join("<br>") + "</span>");
    m_nodeProblems->setVisible(!lines.isEmpty());
  }
  showStream();
}

void InspectorPanel::showStream() {
  if (m_stream == nullptr) return;
  const auto wire = m_session->selection.wire();
  if (m_ids.empty() && !wire) return;
  const StreamType* stream =
      m_session->check.streamAfter(m_ids.empty() ? wire->from : m_ids.front());
  if (stream == nullptr) {
    const NodeSpec* spec = m_ids.empty() ? nullptr : m_session->document.specOf(m_ids.front());
    const bool isChoice = spec != nullptr && spec->role == NodeRole::Choice;
    m_stream->setText(isChoice ? "A choice has no output: its nodes do not change the stream."
                               : "Not known: the node is not connected to a source.");
    return;
  }
  QList<std::pair<QString, QString>> rows = {
      {"Level, place", (stream->level == Level::Batch ? "batch of " + shownNumber(stream->batchSize)
                                                      : QString("sample")) +
                           ", " + toQt(nameOf(stream->place))}};
  for (const FieldSpec& field : stream->fields)
    rows.emplace_back(toQt(field.name), shownField(field));
  if (stream->samples) rows.emplace_back("Samples", shownNumber(*stream->samples) + " per epoch");
  m_stream->setText(tableHtml(rows));
}

void InspectorPanel::focusField(const QString& field) {
  FieldRow* wanted = m_rows.empty() ? nullptr : m_rows.front();
  for (FieldRow* row : m_rows)
    if (toQt(row->spec().name) == field) wanted = row;
  if (wanted == nullptr) return;
  QWidget* control = wanted->editor().focusProxy();
  control->setFocus(Qt::OtherFocusReason);
  ensureWidgetVisible(wanted);
}

}  // namespace millrace
