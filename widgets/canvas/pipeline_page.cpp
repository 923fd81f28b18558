// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/pipeline_page.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/canvas/minimap.h"
#include "widgets/common/icon_mark.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/common/style_property.h"
#include "widgets/models/notes.h"

namespace millrace {

namespace {

constexpr int kFloatMargin = 12;  ///< around what floats over the canvas
constexpr int kMessageMs = 8000;

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
  m_messageText->setMaximumWidth(520);
  messageRow->addWidget(m_messageText, 1);
  m_message->hide();
  m_messageEnd.setSingleShot(true);
  connect(&m_messageEnd, &QTimer::timeout, m_message, &QWidget::hide);
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
  showEmptyState();
}

void PipelinePage::writeComment() {
  bool ok = false;
  const QString text =
      QInputDialog::getMultiLineText(this, "Comment", "Text of the comment:", {}, &ok);
  if (ok) m_session->editor.addComment(text, m_view->middle());
}

void PipelinePage::changeComment(std::size_t i) {
  const auto now = commentOf(m_session->document.graph().comments[i]);
  if (!now) return;
  bool ok = false;
  const QString text = QInputDialog::getMultiLineText(
      this, "Comment", "Text of the comment; empty deletes it:", now->text, &ok);
  if (ok) m_session->editor.setComment(i, {text, now->place});
}

void PipelinePage::nameGroup() {
  bool ok = false;
  const QString title =
      QInputDialog::getText(this, "Group", "Name of the group:", QLineEdit::Normal, {}, &ok);
  if (ok) m_session->editor.groupSelected(title);
}

void PipelinePage::renameGroup(std::size_t i) {
  const Graph& graph = m_session->document.graph();
  const auto group = groupOf(graph.groups[i], graph);
  if (!group) return;
  bool ok = false;
  const QString title = QInputDialog::getText(
      this, "Group", "Name of the group:", QLineEdit::Normal, group->title, &ok);
  if (ok) m_session->editor.retitleGroup(i, title);
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
  connect(fit, &QToolButton::clicked, m_view, &CanvasView::fit);
  connect(arrange, &QToolButton::clicked, this, [this] {
    m_session->editor.arrange();
    m_view->fit();
  });
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
  m_messageText->setText(richSentence(fromQt(sentence)));
  m_message->show();
  m_message->raise();
  placeOverlays();
  m_messageEnd.start(kMessageMs);
}

void PipelinePage::showEmptyState() {
  m_empty->setVisible(m_session->document.graph().nodes.empty());
  placeOverlays();
}

/// Hides the minimap where it would cover something: if there is little room, or if everything is
/// in view and the minimap would lie on it.
void PipelinePage::showMinimap() {
  const QSize room = m_view->viewport()->size();
  const bool roomy = room.width() >= 560 && room.height() >= 340;
  const auto sceneOf = [this](const QRect& rect) {
    return m_view->mapToScene(rect).boundingRect();
  };
  const QRectF all = m_session->geometry.layout().bounds();
  const bool needless = sceneOf(m_view->viewport()->rect()).contains(all) &&
                        sceneOf(m_minimap->geometry()).intersects(all);
  m_minimap->setVisible(m_minimapWanted && roomy && !needless &&
                        !m_session->document.graph().nodes.empty());
}

void PipelinePage::placeOverlays() {
  const QSize room = m_view->viewport()->size();
  m_zoomBar->adjustSize();
  m_zoomBar->move(kFloatMargin, room.height() - m_zoomBar->height() - kFloatMargin);
  m_view->setCornerTaken(m_zoomBar->size() + QSize(kFloatMargin, kFloatMargin));
  m_minimap->move(room.width() - m_minimap->width() - kFloatMargin,
                  room.height() - m_minimap->height() - kFloatMargin);
  showMinimap();
  m_empty->setFixedWidth(std::min(440, room.width() - 2 * kFloatMargin));
  m_empty->adjustSize();
  m_empty->move((room.width() - m_empty->width()) / 2, (room.height() - m_empty->height()) / 2);
  m_message->adjustSize();
  m_message->move((room.width() - m_message->width()) / 2, kFloatMargin);
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
