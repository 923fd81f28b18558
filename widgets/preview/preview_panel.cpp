// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/preview/preview_panel.h"

#include <algorithm>

#include <QBoxLayout>
#include <QComboBox>
#include <QFrame>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSlider>

#include "core/graph/json/graph_json.h"
#include "core/open/sample_needs.h"
#include "widgets/canvas/editor/edit_session.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/models/node_display.h"
#include "widgets/preview/bar_button.h"
#include "widgets/preview/closer_view.h"
#include "widgets/preview/field_facts.h"
#include "widgets/preview/preview_note.h"
#include "widgets/preview/preview_seed.h"
#include "widgets/preview/thumbnail_model.h"
#include "widgets/preview/thumbnail_view.h"

namespace millrace {

namespace {

constexpr int kGatherMs = 40;
constexpr int kFactsWidth = 168;
// Below these widths a part of the panel is hidden to leave room for the samples.
constexpr int kRoomForFacts = 420;
constexpr int kRoomForRange = 470;
constexpr int kRoomForText = 640;
constexpr int kRoomForSize = 600;

}  // namespace

PreviewPanel::PreviewPanel(QWidget* parent)
    : QWidget(parent),
      m_model(new ThumbnailModel(m_preview, this)),
      m_view(new ThumbnailView),
      m_after(new QLabel("After")),
      m_nodes(new QComboBox),
      m_seed(new PreviewSeed),
      m_size(new QSlider(Qt::Horizontal)),
      m_range(new QLabel),
      m_note(new PreviewNote),
      m_facts(new QLabel),
      m_factsArea(new QScrollArea) {
  setMinimumSize(220, 120);
  m_view->setThumbnails(m_model);
  m_gather.setSingleShot(true);
  m_gather.setInterval(kGatherMs);
  connect(&m_gather, &QTimer::timeout, this, &PreviewPanel::ask);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(buildHead());
  column->addWidget(m_note);
  connect(m_note, &PreviewNote::retried, this, [this] { m_preview.retry(); });
  connect(m_note, &PreviewNote::generated, this, &PreviewPanel::ask);
  auto* body = new QHBoxLayout;
  body->setContentsMargins(8, 0, 0, 0);
  body->addWidget(m_view, 1);
  m_facts->setContentsMargins(10, 2, 8, 8);
  m_facts->setAlignment(Qt::AlignTop);
  m_facts->setWordWrap(true);
  m_facts->setProperty("role", "second");
  m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_factsArea->setWidget(m_facts);
  m_factsArea->setWidgetResizable(true);
  m_factsArea->setFixedWidth(kFactsWidth);
  m_factsArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_factsArea->setFocusPolicy(Qt::NoFocus);
  body->addWidget(m_factsArea);
  column->addLayout(body, 1);
  connect(&m_preview, &PreviewSession::changed, this, &PreviewPanel::showSamples);
  connect(&m_preview, &PreviewSession::closer, this, [this](const ShownSample& sample) {
    if (m_closerView == nullptr || m_closerView->sample().place != sample.place) return;
    if (m_closerView->sample().node == sample.node)
      m_closerView->showSample(sample, m_view->mask(), titleOfNode(sample.node));
    else
      m_closerView->showBefore(sample);
  });
  connect(m_view, &ThumbnailView::opened, this, &PreviewPanel::openCloser);
  connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &PreviewPanel::showSamples);
  showSamples();
}

PreviewPanel::~PreviewPanel() { m_note->disconnect(this); }

QLayout* PreviewPanel::buildHead() {
  auto* row = new QHBoxLayout;
  row->setContentsMargins(12, 6, 8, 6);
  row->setSpacing(6);
  row->addWidget(m_after);
  m_nodes->setObjectName("preview_node");
  m_nodes->setAccessibleName("Preview after this node");
  m_nodes->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_nodes->setMinimumContentsLength(20);  // "Precision and layout"
  connect(m_nodes, &QComboBox::activated, this, [this](int i) {
    if (m_edit != nullptr) m_edit->selection.set({fromQt(m_nodes->itemData(i).toString())});
  });
  row->addWidget(m_nodes);
  row->addSpacing(6);
  row->addWidget(m_seed);
  connect(m_seed, &PreviewSeed::changed, this, &PreviewPanel::soon);
  row->addStretch(1);
  m_maskButton = barButton(*row, "preview_mask", "eye", "Show masks over the pictures");
  m_maskButton->setCheckable(true);
  m_maskButton->setChecked(true);
  connect(m_maskButton, &QToolButton::toggled, this, [this](bool over) {
    MaskStyle mask = m_view->mask();
    mask.place = over ? MaskPlace::Over : MaskPlace::Beside;
    m_view->setMask(mask);
  });
  m_size->setRange(ThumbnailView::kLeastSide, ThumbnailView::kMostSide);
  m_size->setValue(m_view->side());
  m_size->setFixedWidth(84);
  m_size->setObjectName("preview_size");
  m_size->setAccessibleName("Size of the samples");
  m_size->setToolTip("Size of the samples (Ctrl and the wheel)");
  m_size->setFocusPolicy(Qt::TabFocus);
  connect(m_size, &QSlider::valueChanged, m_view, &ThumbnailView::setSide);
  connect(m_view, &ThumbnailView::sideChanged, m_size, &QSlider::setValue);
  row->addWidget(m_size);
  buildSteps(*row);
  return row;
}

void PreviewPanel::buildSteps(QBoxLayout& row) {
  m_previous = barButton(row, "preview_previous", "chevleft", "Previous samples");
  row.addWidget(m_range);
  m_next = barButton(row, "preview_next", "chevright", "Next samples");
  connect(m_previous, &QToolButton::clicked, this, [this] { step(-kCount); });
  connect(m_next, &QToolButton::clicked, this, [this] { step(kCount); });
}

void PreviewPanel::setSession(EditSession* session) {
  for (const auto& connection : m_connections) disconnect(connection);
  m_connections.clear();
  m_edit = session;
  m_first = 0;
  m_seed->reset();
  if (session != nullptr)
    m_connections = {
        connect(&session->selection, &Selection::changed, this, &PreviewPanel::soon),
        connect(&session->document, &Document::changed, this, &PreviewPanel::soon),
        connect(&session->document, &Document::stateChanged, this, &PreviewPanel::soon),
        connect(&session->code, &CodeTrust::changed, this, &PreviewPanel::soon),
        connect(&session->document, &Document::replaced, this,
                [this] {
                  m_first = 0;
                  m_seed->reset();
                }),
    };
  soon();
}

PreviewRequest PreviewPanel::requestNow() const {
  // Changes that do not affect a sample must not cause a new request.
  Graph graph = m_edit->document.graph();
  for (GraphNode& node : graph.nodes) node.ui = {};
  graph.groups.clear();
  graph.comments.clear();
  PreviewRequest request;
  request.pipeline = graphText(graph, m_edit->document.catalog());
  request.base = m_edit->document.base();
  request.node = m_edit->selection.current();
  request.seed = m_seed->chosen().value_or(graph.seed);
  request.first = m_first;
  request.count = kCount;
  return request;
}

void PreviewPanel::ask() {
  if (!isVisible()) return;  // When shown, it asks again.
  showNodes();
  if (m_edit != nullptr) m_seed->setOwn(m_edit->document.graph().seed);
  const bool nothing = m_edit == nullptr || m_edit->document.graph().nodes.empty();
  m_view->setEmptyText(nothing ? "Add a source to see its samples here." : QString());
  QStringList missing;
  if (!nothing)
    for (const std::string& name : missingSamples(m_edit->document.graph())) missing << toQt(name);
  m_note->setMissing(missing);
  // Opening a pipeline must neither run code that the user has not allowed, nor start several
  // seconds of data generation.
  if (nothing || !missing.isEmpty() || !m_edit->code.obstacle().isEmpty())
    m_preview.rest();
  else
    m_preview.request(requestNow());
  showNote();
}

void PreviewPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  soon();
}

void PreviewPanel::step(int by) {
  const auto back = static_cast<quint64>(std::max(0, -by));
  m_first = by < 0 ? m_first - std::min(m_first, back) : m_first + static_cast<quint64>(by);
  soon();
}

void PreviewPanel::showNodes() {
  const QSignalBlocker quiet(m_nodes);
  m_nodes->clear();
  if (m_edit == nullptr) return;
  for (const GraphNode& node : m_edit->document.graph().nodes)
    m_nodes->addItem(titleOf(node, m_edit->document.specOf(node.id)), toQt(node.id));
  const QString shown = m_preview.samples().empty() ? QString() : m_preview.samples().front().node;
  const NodeId selected = m_edit->selection.current();
  m_nodes->setCurrentIndex(m_nodes->findData(selected.empty() ? shown : toQt(selected)));
}

QString PreviewPanel::rangeText(Length length) const {
  const std::vector<ShownSample>& samples = m_preview.samples();
  if (samples.empty() || samples.front().of == 0) return {};
  const ShownSample& first = samples.front();
  const auto here = std::ranges::count(samples, first.epoch, &ShownSample::epoch);
  const auto number = [](quint64 n) { return shownNumber(static_cast<std::int64_t>(n)); };
  QString text = QString("%1–%2 of %3")
                     .arg(number(first.position + 1),
                          number(first.position + static_cast<quint64>(here)), number(first.of));
  if (first.epoch > 0) text += QString(", epoch %1").arg(number(first.epoch + 1));
  const auto beyond = samples.size() - static_cast<std::size_t>(here);
  if (beyond == 0) return text;
  if (length == Length::Short) return text + " + " + number(beyond);
  return text + QString(", then %1 of the next epoch%2")
                    .arg(number(beyond), samples.back().epoch > first.epoch + 1 ? "s" : "");
}

bool PreviewPanel::isAtWork() const {
  const PreviewSession::State state = m_preview.state();
  return m_gather.isActive() || state == PreviewSession::State::Working ||
         state == PreviewSession::State::Slow;
}

QString PreviewPanel::factsText() const { return m_facts->text(); }

void PreviewPanel::showSamples() {
  const std::vector<ShownSample>& samples = m_preview.samples();
  showNote();
  m_range->setText(rangeText(Length::Short));
  m_range->setToolTip(rangeText());
  m_range->setAccessibleName(rangeText());
  m_previous->setEnabled(m_first > 0);
  m_next->setEnabled(!samples.empty());
  m_maskButton->setVisible(std::ranges::any_of(
      samples, [](const auto& s) { return s.mask() && !s.pictures().empty(); }));
  showFacts();
  if (m_edit != nullptr && m_edit->selection.current().empty()) showNodes();
  if (m_preview.state() == PreviewSession::State::Working && samples.empty())
    m_view->setEmptyText("The engine is making the first samples.");
  else if (m_preview.state() != PreviewSession::State::Idle)
    m_view->setEmptyText({});
}

/// Samples of the newest settings only: statistics over two settings would be of neither.
std::vector<ShownSample> PreviewPanel::samplesOfOneSetting() const {
  std::vector<ShownSample> samples = m_preview.samples();
  if (samples.empty()) return samples;
  const qint64 newest = samples.front().request;
  std::erase_if(samples, [newest](const ShownSample& one) { return one.request != newest; });
  return samples;
}

QString PreviewPanel::titleOfNode(const QString& id) const {
  const GraphNode* node = m_edit == nullptr ? nullptr : m_edit->document.graph().node(fromQt(id));
  return node == nullptr ? id : titleOf(*node, m_edit->document.specOf(node->id));
}

void PreviewPanel::showFacts() {
  std::vector<ShownSample> of = samplesOfOneSetting();
  const QModelIndexList chosen = m_view->selectionModel()->selectedIndexes();
  if (chosen.size() == 1 && chosen.front().row() < static_cast<int>(m_preview.samples().size()))
    of = {m_preview.samples()[static_cast<std::size_t>(chosen.front().row())]};
  const QString facts = fieldFacts(of);
  const QString whose = of.size() == 1 ? of.front().name.section('/', -1).toHtmlEscaped()
                                       : QString("%1 samples").arg(of.size());
  m_facts->setText(facts.isEmpty() ? QString() : whose + "<p style='margin-top:6px'>" + facts);
}

QString PreviewPanel::sentenceToShow() const {
  // The engine names a node by its id; the user knows its title.
  QString text = m_preview.sentence();
  const qsizetype colon = text.indexOf(": ");
  if (m_edit == nullptr || colon <= 0) return text;
  QString id = text.left(colon).section('.', 0, 0);
  id[0] = id[0].toLower();
  const GraphNode* node = m_edit->document.graph().node(fromQt(id));
  if (node == nullptr) return text;
  const NodeSpec* spec = m_edit->document.specOf(node->id);
  const QString field = text.left(colon).section('.', 1);
  const ParamSpec* param = spec == nullptr ? nullptr : spec->param(fromQt(field));
  QString place = titleOf(*node, spec);
  if (!field.isEmpty()) place += " › " + (param == nullptr ? field : toQt(param->label));
  return place + text.mid(colon);
}

void PreviewPanel::showNote() {
  const QString obstacle = m_edit == nullptr ? QString() : m_edit->code.obstacle();
  if (!obstacle.isEmpty()) return m_note->say(obstacle, false);
  m_note->say(sentenceToShow(), m_preview.state() == PreviewSession::State::Failed);
}

void PreviewPanel::openCloser(int row) {
  if (row < 0 || row >= m_model->rowCount() || m_edit == nullptr) return;
  m_view->setCurrentIndex(m_model->index(row));
  if (m_closerView == nullptr) {
    m_closerView = new CloserView(this);
    connect(m_closerView, &CloserView::stepped, this,
            [this](int by) { openCloser(m_view->currentIndex().row() + by); });
    connect(m_closerView, &CloserView::beforeWanted, this, &PreviewPanel::askCloser);
    connect(m_closerView, &CloserView::maskChanged, m_view, &ThumbnailView::setMask);
  }
  const ShownSample& sample = m_model->sample(row);
  m_closerView->showSample(sample, m_view->mask(), titleOfNode(sample.node));
  m_closerView->setHasBefore(!nodeBefore(sample.node).empty());
  m_closerView->show();
  m_closerView->raise();
  m_closerView->activateWindow();
  askCloser();
}

/// The node whose samples reach this one; empty for a source.
NodeId PreviewPanel::nodeBefore(const QString& node) const {
  if (m_edit == nullptr) return {};
  for (const GraphWire& wire : m_edit->document.graph().wires)
    if (wire.to == fromQt(node)) return wire.from;
  return {};
}

void PreviewPanel::askCloser() {
  if (m_closerView == nullptr || m_edit == nullptr) return;
  const ShownSample& sample = m_closerView->sample();
  PreviewRequest request = requestNow();
  request.node = fromQt(sample.node);
  request.first = sample.place;
  request.count = 1;
  request.side = kCloserSide;
  request.values = true;
  std::vector<PreviewRequest> requests = {request};
  request.node = nodeBefore(sample.node);
  if (m_closerView->wantsBefore() && !request.node.empty()) requests.push_back(request);
  m_preview.requestLarger(std::move(requests));
}

void PreviewPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_factsArea->setVisible(width() >= kRoomForFacts);
  m_seed->setRoom(width());
  m_after->setVisible(width() >= kRoomForText);
  m_range->setVisible(width() >= kRoomForRange);
  m_size->setVisible(width() >= kRoomForSize);
}

}  // namespace millrace
