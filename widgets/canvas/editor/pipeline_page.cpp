// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/editor/pipeline_page.h"

#include <algorithm>

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/canvas/minimap.h"
#include "widgets/canvas/name_editor.h"
#include "widgets/canvas/note_editor.h"
#include "widgets/common/icon_mark.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/common/style_property.h"
#include "widgets/models/notes.h"

namespace millrace {

namespace {

constexpr int kFloatMargin = 12;  ///< around what floats over the canvas
constexpr int kMessageMs = 8000;
constexpr int kReadingMs = 70;  ///< for a character of a long message
constexpr int kMessageWidth = 520;

QToolButton* barButton(QHBoxLayout& row, const QString& iconName, const QString& tip) {
  auto* button = new QToolButton;
  if (!iconName.isEmpty()) button->setIcon(icon(iconName));
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setFocusPolicy(Qt::NoFocus);  // Keyboard users have its shortcut.
  row.addWidget(button);
  return button;
}

}  // namespace

PipelinePage::PipelinePage(const Catalog& catalog, QWidget* parent)
    : QWidget(parent),
      m_session(std::make_unique<EditSession>(catalog)),
      m_scene(new CanvasScene(m_session->document, m_session->selection, m_session->check,
                              m_session->geometry)),
      m_view(new CanvasView(*m_session, *m_scene)),
      m_minimap(new Minimap(m_session->document, m_session->geometry, *m_view)),
      m_noteEditor(new NoteEditor(*m_view)),
      m_nameEditor(new NameEditor(*m_view)),
      m_zoomBar(new QFrame(m_view)),
      m_empty(new QFrame(m_view)),
      m_message(new QFrame(m_view)),
      m_messageMark(new IconMark(16)),
      m_messageText(new QLabel) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_view);
  setFocusProxy(m_view);
  buildZoomBar();
  buildEmptyState();
  auto* messageRow = new QHBoxLayout(m_message);
  messageRow->setContentsMargins(10, 6, 10, 6);
  messageRow->addWidget(m_messageMark);
  m_messageText->setWordWrap(true);
  m_messageText->setMaximumWidth(kMessageWidth);
  messageRow->addWidget(m_messageText, 1);
  m_message->hide();
  m_messageEnd.setSingleShot(true);
  connect(&m_messageEnd, &QTimer::timeout, this, [this] {
    m_message->hide();
    showMinimap();
  });
  Document& document = m_session->document;
  connect(&document, &Document::refused, this, &PipelinePage::warn);
  connect(&document, &Document::changed, this, [this] {
    m_message->hide();
    showEmptyState();
  });
  connect(m_view, &CanvasView::zoomChanged, this,
          [this] { m_zoomText->setText(QString("%1 %").arg(qRound(m_view->zoom() * 100))); });
  connect(m_view, &CanvasView::zoomChanged, this, &PipelinePage::showMinimap);
  connect(&m_session->geometry, &CanvasGeometry::changed, this, &PipelinePage::showMinimap);
  for (const QScrollBar* bar : {m_view->horizontalScrollBar(), m_view->verticalScrollBar()})
    connect(bar, &QScrollBar::valueChanged, this, &PipelinePage::showMinimap);
  // Connected to the view: the layout of a hidden page is done later.
  connect(m_view, &CanvasView::resized, this, &PipelinePage::placeOverlays);
  connect(&document, &Document::replaced, this, [this] {
    // Deferred until after `changed`, when the geometry knows the new nodes.
    QTimer::singleShot(0, this, [this] { m_view->fit(); });
  });
  connect(m_view, &CanvasView::commentRequested, this, &PipelinePage::changeComment);
  connect(m_view, &CanvasView::groupRequested, this, &PipelinePage::renameGroup);
  connect(m_view, &CanvasView::renameRequested, this, &PipelinePage::renameNode);
  connect(m_view, &CanvasView::fitted, this, [this] {
    placeZoomBar();
    showMinimap();
  });
  showEmptyState();
}

void PipelinePage::writeComment(std::optional<QPointF> near) {
  const QRectF box = m_scene->freeForComment(near.value_or(m_view->middle()));
  m_noteEditor->open(NoteEditor::Text::Comment, box, {}, [this, box](const QString& text) {
    m_session->editor.addComment(text, box.topLeft());
  });
}

void PipelinePage::changeComment(std::size_t i) {
  const auto now = commentOf(m_session->document.graph().comments[i]);
  if (!now) return;
  const QRectF box(now->place, commentSize(now->text));
  m_noteEditor->open(NoteEditor::Text::Comment, box, now->text,
                     [this, i, now](const QString& text) {
                       if (text != now->text) m_session->editor.setComment(i, {text, now->place});
                     });
}

void PipelinePage::nameGroup() {
  const std::vector<NodeId> ids = m_session->selection.nodes();
  if (ids.empty()) return;
  QRectF frame;
  for (const NodeId& id : ids) frame |= m_session->geometry.layout().nodes.at(id);
  const QRectF head(frame.left() - kGroupPad, frame.top() - kGroupPad - kGroupHead,
                    std::max(frame.width(), canvas::kNodeWidth), kGroupHead);
  m_noteEditor->open(NoteEditor::Text::Title, head, {}, [this, ids](const QString& title) {
    m_session->selection.set(ids);
    m_session->editor.groupSelected(title.trimmed().isEmpty() ? "Group" : title);
  });
}

void PipelinePage::renameGroup(std::size_t i) {
  const Graph& graph = m_session->document.graph();
  const auto group = groupOf(graph.groups[i], graph);
  if (!group) return;
  m_noteEditor->open(NoteEditor::Text::Title, m_scene->groupHead(i), group->title,
                     [this, i](const QString& title) { m_session->editor.retitleGroup(i, title); });
}

void PipelinePage::renameNode(const NodeId& id) {
  const auto& nodes = m_session->geometry.layout().nodes;
  if (!nodes.contains(id)) return;
  m_view->showNode(id);
  m_nameEditor->open(
      m_view->titlePlace(id), toQt(id),
      {[this, id](const QString& name) { return m_session->editor.whyNoRename(id, fromQt(name)); },
       "A letter a to z, then a to z, 0 to 9, _ and -. The random draws of a node depend on its "
       "name."},
      [this, id](const QString& name) { m_session->editor.rename(id, fromQt(name)); });
}

PipelinePage::~PipelinePage() {
  // The view uses the scene, which is deleted with the session.
  delete m_view;
}

void PipelinePage::buildZoomBar() {
  m_zoomBar->setObjectName("floatingBar");
  auto* row = new QHBoxLayout(m_zoomBar);
  row->setContentsMargins(3, 2, 3, 2);
  row->setSpacing(1);
  auto* out = barButton(*row, "", "Zoom out (Ctrl+-)");
  out->setText("−");
  m_zoomText = barButton(*row, "", "Back to 100 % (Ctrl+1)");
  m_zoomText->setText("100 %");
  m_zoomText->setFixedWidth(54);
  auto* in = barButton(*row, "plus", "Zoom in (Ctrl++)");
  auto* fit = barButton(*row, "fit", "Show everything (F)");
  auto* arrange = barButton(*row, "arrange", "Arrange the nodes in rows (Ctrl+L)");
  connect(out, &QToolButton::clicked, this, [this] { m_view->zoomBy(1 / 1.25); });
  connect(in, &QToolButton::clicked, this, [this] { m_view->zoomBy(1.25); });
  connect(m_zoomText, &QToolButton::clicked, this,
          [this] { m_view->setZoom(1, m_view->viewport()->rect().center()); });
  connect(fit, &QToolButton::clicked, m_view, &CanvasView::showAll);
  connect(arrange, &QToolButton::clicked, this, &PipelinePage::arrange);
}

void PipelinePage::arrange() {
  m_session->editor.arrange();
  m_view->fit();
}

void PipelinePage::buildEmptyState() {
  auto* column = new QVBoxLayout(m_empty);
  column->setSpacing(8);
  auto* mark = new IconMark("plus", Tone::Hint, 26);
  auto* title = new QLabel("Empty canvas");
  title->setFont(uiFont(15, true));
  title->setAlignment(Qt::AlignCenter);
  auto* words =
      new QLabel("Press Space or double-click to add a node, or drop a folder or a pipeline file.");
  words->setProperty("role", "second");
  words->setAlignment(Qt::AlignCenter);
  words->setWordWrap(true);
  auto* button = new QPushButton("Open an example");
  connect(button, &QPushButton::clicked, this, &PipelinePage::exampleRequested);
  column->addWidget(mark, 0, Qt::AlignHCenter);
  column->addWidget(title);
  column->addWidget(words);
  column->addWidget(button, 0, Qt::AlignCenter);
}

void PipelinePage::setMinimapWanted(bool wanted) {
  m_minimapWanted = wanted;
  placeOverlays();
}

bool PipelinePage::isMinimapShown() const { return m_minimap->isVisible(); }

void PipelinePage::say(const QString& sentence) { showMessage(sentence, "info", Tone::Accent); }

void PipelinePage::warn(const QString& sentence) {
  showMessage(sentence, "warning", Tone::Warning);
}

/// `note`: a property of the style sheet, and an icon's name.
void PipelinePage::showMessage(const QString& sentence, const char* note, Tone tone) {
  setStyleProperty(*m_message, "note", note);
  m_messageMark->setIcon(note, tone);
  const QString words = m_session->editor.inWindowWords(sentence);
  m_messageText->setText(richSentence(fromQt(words)));
  floatMessage();
  m_message->show();
  m_message->raise();
  placeOverlays();
  m_messageEnd.start(std::max(kMessageMs, static_cast<int>(words.size()) * kReadingMs));
}

/// Over the canvas, from where placeMessage() moves it if it would cover a node.
void PipelinePage::floatMessage() {
  if (m_message->parentWidget() == m_view) return;
  layout()->removeWidget(m_message);
  m_message->setParent(m_view);
  m_messageText->setMaximumWidth(kMessageWidth);
}

void PipelinePage::showEmptyState() {
  m_empty->setVisible(m_session->document.graph().nodes.empty());
  placeOverlays();
}

std::optional<QPoint> PipelinePage::freeSpot(QSize size, const QList<QPoint>& places) const {
  const CanvasLayout& layout = m_session->geometry.layout();
  for (const QPoint& place : places) {
    const QRectF covered = m_view->mapToScene(QRect(place, size)).boundingRect();
    const bool isFree = std::ranges::none_of(layout.nodes, [&](const auto& node) {
      const bool isHead = layout.isFrame(node.first);
      return node.second.adjusted(0, 0, 0, isHead ? 0 : canvas::kStrip).intersects(covered);
    });
    if (isFree) return place;
  }
  return std::nullopt;
}

/// In the first corner where it covers neither a node nor the zoom bar nor a message, hidden if
/// there is none or little room. While everything is in view, only its usual corner counts.
void PipelinePage::showMinimap() {
  const QSize room = m_view->viewport()->size();
  const bool roomy = room.width() >= 560 && room.height() >= 340;
  const QSize size = m_minimap->size();
  const int right = room.width() - size.width() - kFloatMargin;
  const int bottom = room.height() - size.height() - kFloatMargin;
  QList<QPoint> corners{{right, bottom},
                        {right, kFloatMargin},
                        {kFloatMargin, bottom - m_zoomBar->height() - kFloatMargin},
                        {kFloatMargin, kFloatMargin}};
  const QRectF seen = m_view->mapToScene(m_view->viewport()->rect()).boundingRect();
  if (seen.contains(m_session->geometry.layout().bounds())) corners.resize(1);
  for (const QWidget* other : {static_cast<QWidget*>(m_zoomBar), static_cast<QWidget*>(m_message)})
    if (!other->isHidden() && other->parentWidget() == m_view)
      corners.removeIf(
          [&](QPoint corner) { return QRect(corner, size).intersects(other->geometry()); });
  const auto spot = freeSpot(size, corners);
  if (spot) m_minimap->move(*spot);
  m_minimap->setVisible(m_minimapWanted && roomy && spot.has_value() &&
                        !m_session->document.graph().nodes.empty());
}

/// In its usual corner, or in another one where it covers no node, or else at an edge between two
/// rows of nodes; hidden if there is no such place. Zooming and scrolling leave it there.
void PipelinePage::placeZoomBar() {
  constexpr int kStep = 6;
  const QSize room = m_view->viewport()->size();
  const int right = room.width() - m_zoomBar->width() - kFloatMargin;
  const int bottom = room.height() - m_zoomBar->height() - kFloatMargin;
  const QPoint usual(kFloatMargin, bottom);
  QList<QPoint> places{usual, {right, bottom}, {right, kFloatMargin}, {kFloatMargin, kFloatMargin}};
  for (int x = kFloatMargin; x < right; x += kStep) places << QPoint(x, bottom);
  for (int y = bottom; y > kFloatMargin; y -= kStep)
    places << QPoint(kFloatMargin, y) << QPoint(right, y);
  const auto spot = freeSpot(m_zoomBar->size(), places);
  if (spot) m_zoomBar->move(*spot);
  m_zoomBar->setVisible(spot.has_value());
}

void PipelinePage::placeOverlays() {
  const QSize room = m_view->viewport()->size();
  m_zoomBar->adjustSize();
  placeZoomBar();
  m_view->setCornerTaken(m_zoomBar->size() + QSize(kFloatMargin, kFloatMargin));
  m_empty->setFixedWidth(std::min(440, room.width() - 2 * kFloatMargin));
  m_empty->adjustSize();
  m_empty->move((room.width() - m_empty->width()) / 2, (room.height() - m_empty->height()) / 2);
  placeMessage();
  showMinimap();
}

/// At an edge where it covers no node, or else in a row above the canvas.
void PipelinePage::placeMessage() {
  if (m_message->parentWidget() != m_view) return;
  const QSize room = m_view->viewport()->size();
  m_message->adjustSize();
  const QSize size = m_message->size();
  const int middle = (room.width() - size.width()) / 2;
  const int right = room.width() - size.width() - kFloatMargin;
  const int bottom = room.height() - size.height() - kFloatMargin;
  const int aboveBar = bottom - m_zoomBar->height() - kFloatMargin;
  const QPoint top(middle, kFloatMargin);
  const auto spot = freeSpot(size, {top,
                                    {middle, bottom},
                                    {right, kFloatMargin},
                                    {right, bottom},
                                    {kFloatMargin, kFloatMargin},
                                    {kFloatMargin, aboveBar}});
  if (spot) return m_message->move(*spot);
  if (m_message->isHidden()) return;
  m_messageText->setMaximumWidth(QWIDGETSIZE_MAX);
  static_cast<QVBoxLayout*>(layout())->insertWidget(0, m_message);
}

void PipelinePage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (m_shown) return;
  m_shown = true;
  QTimer::singleShot(0, this, [this] {
    placeOverlays();
    m_view->fit();
  });
}

}  // namespace millrace
