// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/preview/preview_panel.h"

#include <algorithm>

#include <QBoxLayout>
#include <QComboBox>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRandomGenerator>
#include <QRegularExpressionValidator>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QToolButton>

#include "core/graph/graph_json.h"
#include "core/open/sample_needs.h"
#include "widgets/canvas/edit_session.h"
#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/common/style_property.h"
#include "widgets/models/node_display.h"
#include "widgets/preview/closer_view.h"
#include "widgets/preview/field_facts.h"
#include "widgets/preview/thumbnail_model.h"
#include "widgets/preview/thumbnail_view.h"

namespace millrace {

namespace {

constexpr int kGatherMs = 40;
constexpr int kFactsWidth = 168;
// Below these widths a part of the panel is hidden to leave room for the samples.
constexpr int kRoomForFacts = 420;
constexpr int kRoomForSeed = 470;
constexpr int kRoomForText = 510;

}  // namespace

PreviewPanel::PreviewPanel(QWidget* parent)
    : QWidget(parent),
      m_model(new ThumbnailModel(m_preview, this)),
      m_view(new ThumbnailView),
      m_after(new QLabel("After")),
      m_nodes(new QComboBox),
      m_seedLabel(new QLabel("Seed")),
      m_seedLine(new QLineEdit),
      m_range(new QLabel),
      m_note(new QFrame),
      m_noteText(new QLabel),
      m_retry(new QPushButton("Try again")),
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
  buildNote();
  column->addWidget(m_note);
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
    if (m_closerView != nullptr && m_closerView->sample().place == sample.place)
      m_closerView->showSample(sample, m_view->maskPlace());
  });
  connect(m_view, &ThumbnailView::opened, this, &PreviewPanel::openCloser);
  connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &PreviewPanel::showSamples);
  showSamples();
}

PreviewPanel::~PreviewPanel() = default;

QToolButton* PreviewPanel::headButton(QBoxLayout& row, const QString& name, const QString& iconName,
                                      const QString& tip) {
  auto* button = new QToolButton;
  button->setObjectName(name);
  button->setIcon(icon(iconName));
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setFocusPolicy(Qt::TabFocus);
  row.addWidget(button);
  return button;
}

QLayout* PreviewPanel::buildHead() {
  auto* row = new QHBoxLayout;
  row->setContentsMargins(12, 6, 8, 6);
  row->setSpacing(6);
  row->addWidget(m_after);
  m_nodes->setObjectName("preview_node");
  m_nodes->setAccessibleName("Preview after this node");
  m_nodes->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_nodes->setMinimumContentsLength(17);
  connect(m_nodes, &QComboBox::activated, this, [this](int i) {
    if (m_edit != nullptr) m_edit->selection.set({fromQt(m_nodes->itemData(i).toString())});
  });
  row->addWidget(m_nodes);
  buildSeed(*row);
  row->addStretch(1);
  m_maskButton = headButton(*row, "preview_mask", "eye", "Show masks over the pictures");
  m_maskButton->setCheckable(true);
  m_maskButton->setChecked(true);
  connect(m_maskButton, &QToolButton::toggled, this,
          [this](bool over) { m_view->setMaskPlace(over ? MaskPlace::Over : MaskPlace::Beside); });
  buildSteps(*row);
  return row;
}

void PreviewPanel::buildSeed(QBoxLayout& row) {
  row.addSpacing(6);
  row.addWidget(m_seedLabel);
  m_seedLine->setObjectName("preview_seed");
  m_seedLine->setAccessibleName("Seed of the preview");
  m_seedLine->setFixedWidth(76);
  m_seedLine->setValidator(
      new QRegularExpressionValidator(QRegularExpression("[0-9]{1,18}"), m_seedLine));
  connect(m_seedLine, &QLineEdit::textEdited, this, [this](const QString& text) {
    if (!text.isEmpty()) setSeed(text.toULongLong());
  });
  row.addWidget(m_seedLine);
  m_dice = headButton(row, "preview_dice", "dice", "Another seed");
  connect(m_dice, &QToolButton::clicked, this, [this] {
    constexpr quint32 kMost = 1000000;
    setSeed(QRandomGenerator::global()->bounded(kMost));
    showSeed();
  });
  m_ownSeed = headButton(row, "preview_own_seed", "reset", "Use the pipeline's seed again");
  connect(m_ownSeed, &QToolButton::clicked, this, [this] {
    setSeed({});
    showSeed();
  });
}

void PreviewPanel::buildSteps(QBoxLayout& row) {
  m_previous = headButton(row, "preview_previous", "chevleft", "Previous samples");
  row.addWidget(m_range);
  m_next = headButton(row, "preview_next", "chevright", "Next samples");
  connect(m_previous, &QToolButton::clicked, this, [this] { step(-kCount); });
  connect(m_next, &QToolButton::clicked, this, [this] { step(kCount); });
}

void PreviewPanel::buildNote() {
  auto* row = new QHBoxLayout(m_note);
  row->setContentsMargins(10, 5, 6, 5);
  m_noteText->setWordWrap(true);
  m_noteText->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_noteText->setObjectName("preview_note");
  row->addWidget(m_noteText, 1);
  m_retry->setObjectName("preview_retry");
  row->addWidget(m_retry);
  connect(m_retry, &QPushButton::clicked, this, &PreviewPanel::act);
  connect(&m_samples, &SampleJob::progressed, this, &PreviewPanel::showNote);
  connect(&m_samples, &SampleJob::ended, this, [this](SampleJob::End, const QString& sentence) {
    m_missingText = sentence;
    ask();
  });
}

void PreviewPanel::act() {
  if (m_samples.isAtWork())
    m_samples.stop();
  else if (!m_missing.isEmpty())
    m_samples.start(m_missing);
  else
    m_preview.retry();
}

void PreviewPanel::setSession(EditSession* session) {
  for (const auto& connection : m_connections) disconnect(connection);
  m_connections.clear();
  m_edit = session;
  m_first = 0;
  m_seed.reset();
  if (session != nullptr)
    m_connections = {
        connect(&session->selection, &Selection::changed, this, &PreviewPanel::soon),
        connect(&session->document, &Document::changed, this, &PreviewPanel::soon),
        connect(&session->document, &Document::stateChanged, this, &PreviewPanel::soon),
        connect(&session->document, &Document::replaced, this,
                [this] {
                  m_first = 0;
                  m_seed.reset();
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
  request.seed = m_seed.value_or(graph.seed);
  request.first = m_first;
  request.count = kCount;
  return request;
}

void PreviewPanel::ask() {
  if (!isVisible()) return;  // When shown, it asks again.
  showNodes();
  showSeed();
  const bool nothing = m_edit == nullptr || m_edit->document.graph().nodes.empty();
  m_view->setEmptyText(nothing ? "Add a source to see its samples here." : QString());
  m_missing.clear();
  if (!nothing)
    for (const std::string& name : missingSamples(m_edit->document.graph()))
      m_missing << toQt(name);
  // Opening a pipeline must not start several seconds of data generation.
  if (nothing || !m_missing.isEmpty())
    m_preview.rest();
  else
    m_preview.request(requestNow());
  if (m_missing.isEmpty()) m_missingText.clear();
  showNote();
}

void PreviewPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  soon();
}

void PreviewPanel::setSeed(std::optional<quint64> seed) {
  m_seed = seed;
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

void PreviewPanel::showSeed() {
  if (m_edit == nullptr) return;
  const quint64 own = m_edit->document.graph().seed;
  m_ownSeed->setVisible(m_seed && *m_seed != own && width() >= kRoomForSeed);
  if (!m_seedLine->hasFocus() || m_seedLine->text().toULongLong() != m_seed.value_or(own))
    m_seedLine->setText(QString::number(m_seed.value_or(own)));
}

QString PreviewPanel::rangeText() const {
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
  if (beyond > 0) text += QString(" and %1 of the next epoch").arg(number(beyond));
  return text;
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
  m_range->setText(rangeText());
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

void PreviewPanel::showFacts() {
  std::vector<ShownSample> of = m_preview.samples();
  const QModelIndexList chosen = m_view->selectionModel()->selectedIndexes();
  if (chosen.size() == 1 && chosen.front().row() < static_cast<int>(of.size()))
    of = {of[static_cast<std::size_t>(chosen.front().row())]};
  const QString facts = fieldFacts(of);
  const QString whose = of.size() == 1 ? of.front().name.section('/', -1).toHtmlEscaped()
                                       : QString("%1 samples").arg(of.size());
  m_facts->setText(facts.isEmpty() ? QString() : whose + "<p style='margin-top:6px'>" + facts);
}

QString PreviewPanel::sentenceToShow() const {
  // The engine names a node by its id; the user knows its title.
  const QString text = m_preview.sentence();
  const qsizetype colon = text.indexOf(": ");
  if (m_edit == nullptr || colon <= 0) return text;
  QString id = text.left(colon);
  id[0] = id[0].toLower();
  const GraphNode* node = m_edit->document.graph().node(fromQt(id));
  if (node == nullptr) return text;
  return titleOf(*node, m_edit->document.specOf(node->id)) + text.mid(colon);
}

void PreviewPanel::showNote() {
  const bool missing = !m_missing.isEmpty() || m_samples.isAtWork();
  const bool failed = missing ? !m_samples.isAtWork() && !m_missingText.isEmpty()
                              : m_preview.state() == PreviewSession::State::Failed;
  QString text = sentenceToShow();
  if (missing && m_samples.isAtWork())
    text = m_samples.words();
  else if (missing)
    text = failed ? m_missingText : "This pipeline's sample data has not been generated yet.";
  setStyleProperty(*m_note, "note", failed ? "error" : "info");
  m_noteText->setText(richSentence(fromQt(text)));
  m_retry->setText(m_samples.isAtWork() ? "Stop"
                                        : (missing && !failed ? "Generate now" : "Try again"));
  m_retry->setVisible(failed || missing);
  m_note->setVisible(!text.isEmpty());
}

void PreviewPanel::openCloser(int row) {
  if (row < 0 || row >= m_model->rowCount() || m_edit == nullptr) return;
  m_view->setCurrentIndex(m_model->index(row));
  if (m_closerView == nullptr) {
    m_closerView = new CloserView(this);
    connect(m_closerView, &CloserView::stepped, this,
            [this](int by) { openCloser(m_view->currentIndex().row() + by); });
  }
  const ShownSample& sample = m_model->sample(row);
  m_closerView->showSample(sample, m_view->maskPlace());
  m_closerView->show();
  m_closerView->raise();
  m_closerView->activateWindow();
  PreviewRequest request = requestNow();
  request.first = sample.place;
  request.count = 1;
  request.side = kCloserSide;
  m_preview.requestLarger(request);
}

void PreviewPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_factsArea->setVisible(width() >= kRoomForFacts);
  for (QWidget* part : {static_cast<QWidget*>(m_seedLine), static_cast<QWidget*>(m_dice)})
    part->setVisible(width() >= kRoomForSeed);
  m_seedLabel->setVisible(width() >= kRoomForText);
  m_after->setVisible(width() >= kRoomForText);
  m_range->setVisible(width() >= kRoomForSeed);
  showSeed();
}

}  // namespace millrace
