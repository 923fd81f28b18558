// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/tour.h"

#include <algorithm>
#include <utility>

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include "widgets/common/theme.h"

namespace millrace {

namespace {

constexpr int kBubbleWidth = 330;
constexpr int kBubbleGap = 10;  ///< to the widget and to the window's edge
constexpr int kWatchMs = 100;

/// A frame around the widget that a step is about; clicks pass through it.
class Ring final : public QWidget {
 public:
  explicit Ring(QWidget& window) : QWidget(&window) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme()[Tone::Accent], 3));
    painter.drawRoundedRect(QRectF(rect()).adjusted(2, 2, -2, -2), 5, 5);
  }
};

/// The place of a widget in the window: as much as is seen of it.
QRect seenOf(const QWidget& widget, const QWidget& window) {
  const QRect seen = widget.visibleRegion().boundingRect();
  return {widget.mapTo(&window, seen.topLeft()), seen.size()};
}

QRect ringAround(const QRect& place, const QWidget& window) {
  return place.adjusted(-3, -3, 3, 3) & window.rect();
}

QPushButton* button(const QString& text, const char* name) {
  auto* made = new QPushButton(text);
  made->setObjectName(name);
  made->setAutoDefault(false);
  return made;
}

/// Where a bubble next to a part of `whole` covers it least: below, above, right, left, or else in
/// a corner of `whole`.
QRect spotFor(const QRect& part, const QRect& whole, QSize size, const QRect& room) {
  const QRect all = room.adjusted(kBubbleGap, kBubbleGap, -kBubbleGap, -kBubbleGap);
  const QPoint middle = part.center();
  const QPoint spots[] = {
      {middle.x() - size.width() / 2, part.bottom() + kBubbleGap},
      {middle.x() - size.width() / 2, part.top() - kBubbleGap - size.height()},
      {part.right() + kBubbleGap, middle.y() - size.height() / 2},
      {part.left() - kBubbleGap - size.width(), middle.y() - size.height() / 2},
      whole.bottomRight() - QPoint(size.width() + kBubbleGap, size.height() + kBubbleGap),
      whole.bottomLeft() + QPoint(kBubbleGap, -size.height() - kBubbleGap),
      whole.topRight() + QPoint(-size.width() - kBubbleGap, kBubbleGap)};
  QRect best;
  int leastCovered = -1;
  for (const QPoint& spot : spots) {
    QRect box(spot, size);
    box.moveLeft(
        std::clamp(box.left(), all.left(), std::max(all.left(), all.right() - size.width())));
    box.moveTop(
        std::clamp(box.top(), all.top(), std::max(all.top(), all.bottom() - size.height())));
    const QRect covered = box.intersected(part);
    const int area = covered.width() * covered.height();
    if (leastCovered >= 0 && area >= leastCovered) continue;
    best = box;
    leastCovered = area;
  }
  return best;
}

}  // namespace

Tour::Tour(QWidget& window, std::vector<Step> steps)
    : QFrame(&window),
      m_window(window),
      m_steps(std::move(steps)),
      m_ring(new Ring(window)),
      m_title(new QLabel),
      m_text(new QLabel),
      m_place(new QLabel),
      m_back(button("Back", "tour_back")),
      m_next(button("Next", "tour_next")) {
  setObjectName("floatingBar");  // its look
  setAutoFillBackground(true);
  setFixedWidth(kBubbleWidth);
  m_title->setFont(uiFont(15, true));
  m_title->setWordWrap(true);
  m_text->setWordWrap(true);
  m_place->setProperty("role", "second");
  m_next->setProperty("primary", true);
  auto* skip = button("End the tour", "tour_end");
  skip->setProperty("link", true);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(skip);
  buttons->addStretch(1);
  buttons->addWidget(m_place);
  buttons->addWidget(m_back);
  buttons->addWidget(m_next);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 12, 16, 12);
  column->setSpacing(8);
  column->addWidget(m_title);
  column->addWidget(m_text);
  column->addLayout(buttons);
  connect(skip, &QPushButton::clicked, this, &Tour::end);
  connect(m_back, &QPushButton::clicked, this, [this] { showStep(before(m_step)); });
  connect(m_next, &QPushButton::clicked, this, [this] { showStep(after(m_step)); });
  m_watch.setInterval(kWatchMs);
  connect(&m_watch, &QTimer::timeout, this, &Tour::follow);
  hide();
}

QWidget* Tour::anchorOf(std::size_t step) const {
  QWidget* anchor = m_steps[step].anchor();
  return anchor != nullptr && anchor->isVisibleTo(&m_window) && !anchor->visibleRegion().isEmpty()
             ? anchor
             : nullptr;
}

/// The next step that can be shown; the number of steps if there is none.
std::size_t Tour::after(std::size_t step) const {
  for (++step; step < m_steps.size() && anchorOf(step) == nullptr;) ++step;
  return step;
}

/// The step before that can be shown; `step` if there is none.
std::size_t Tour::before(std::size_t step) const {
  for (std::size_t i = step; i-- > 0;)
    if (anchorOf(i) != nullptr) return i;
  return step;
}

void Tour::start() {
  if (!m_going) {
    m_focusBefore = m_window.focusWidget();  // The window may not be active yet.
    m_window.installEventFilter(this);
    m_watch.start();
  }
  m_going = true;
  showStep(anchorOf(0) != nullptr ? 0 : after(0));
}

void Tour::end() {
  if (!std::exchange(m_going, false)) return;
  m_window.removeEventFilter(this);
  m_watch.stop();
  putAway();
}

/// The focus returns to where it was.
void Tour::putAway() {
  const bool hadFocus = isAncestorOf(m_window.focusWidget());
  hide();
  m_ring->hide();
  if (hadFocus && m_focusBefore && m_focusBefore->isVisible()) m_focusBefore->setFocus();
}

void Tour::refresh() {
  if (!m_going) return;
  if (!m_waiting && anchorOf(m_step) != nullptr) return place();
  const std::size_t next = after(m_step);
  if (next < m_steps.size() || !m_waiting) showStep(next);
}

void Tour::showStep(std::size_t step) {
  m_waiting = step >= m_steps.size();
  // The widgets of later steps appear once the user goes on, such as those next to a pipeline.
  if (m_waiting && m_step + 1 < m_steps.size()) return putAway();
  if (m_waiting) return end();
  m_step = step;
  m_title->setText(m_steps[step].title);
  m_text->setText(m_steps[step].text);
  m_place->setText(QString("%1 of %2").arg(step + 1).arg(m_steps.size()));
  m_back->setEnabled(before(step) != step);
  const bool isLast = step + 1 == m_steps.size();
  m_next->setText(after(step) < m_steps.size() ? "Next" : isLast ? "Done" : "OK");
  setAccessibleName("Tour: " + m_steps[step].title);
  setAccessibleDescription(m_steps[step].text);
  show();
  place();
  m_next->setFocus();
}

/// What the present step is about, in the window.
QRect Tour::partOf(const QWidget& anchor) const {
  const auto& part = m_steps[m_step].part;
  const QRect all = seenOf(anchor, m_window);
  const QRect own = part ? part().translated(anchor.mapTo(&m_window, QPoint())) & all : QRect();
  return own.isEmpty() ? all : own;
}

void Tour::follow() {
  const QWidget* anchor = m_waiting ? nullptr : anchorOf(m_step);
  if (anchor == nullptr || m_ring->geometry() != ringAround(partOf(*anchor), m_window)) refresh();
}

void Tour::place() {
  const QWidget* anchor = anchorOf(m_step);
  if (anchor == nullptr) return;
  const QRect around = partOf(*anchor);
  m_ring->setGeometry(ringAround(around, m_window));
  setFixedHeight(layout()->heightForWidth(kBubbleWidth));
  setGeometry(spotFor(around, seenOf(*anchor, m_window), size(), m_window.rect()));
  m_ring->show();
  m_ring->raise();
  raise();
}

QString Tour::title() const { return isVisible() ? m_title->text() : QString(); }

void Tour::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Escape: return end();
    case Qt::Key_Return:
    case Qt::Key_Enter: return m_next->click();
    case Qt::Key_Backspace: return m_back->click();
    default: QFrame::keyPressEvent(event);
  }
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
  const bool moves = event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest;
  // After the window has laid out what is in it.
  if (watched == &m_window && moves) QTimer::singleShot(0, this, &Tour::refresh);
  return QFrame::eventFilter(watched, event);
}

}  // namespace millrace
