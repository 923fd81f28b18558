// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/name_editor.h"

#include <algorithm>
#include <utility>

#include <QFrame>
#include <QKeyEvent>
#include <QLabel>
#include <QVBoxLayout>

#include "widgets/common/style_property.h"

namespace millrace {

namespace {

constexpr int kLeastWidth = 150;
constexpr int kNoteWidth = 280;
constexpr int kNoteGap = 4;

}  // namespace

NameEditor::NameEditor(CanvasView& view)
    : InPlaceEditor(view), m_note(new QFrame(view.viewport())), m_words(new QLabel) {
  setObjectName("nameEditor");
  setAccessibleName("Name of the node");
  m_words->setWordWrap(true);
  m_words->setTextFormat(Qt::PlainText);
  auto* column = new QVBoxLayout(m_note);
  column->setContentsMargins(8, 5, 8, 5);
  column->addWidget(m_words);
  m_note->hide();
  connect(this, &QLineEdit::textEdited, this, &NameEditor::showMessage);
}

void NameEditor::open(const QRectF& title, const QString& name, Rules rules, Done done) {
  accept();
  m_title = title;
  m_before = name;
  m_rules = std::move(rules);
  setText(name);
  m_note->show();
  showMessage();
  begin(std::move(done));
}

QString NameEditor::message() const { return m_note->isVisible() ? m_words->text() : QString(); }

void NameEditor::place() {
  setFont(fontInView(true));
  QRect box = view().mapFromScene(m_title).boundingRect();
  box.setWidth(std::max(box.width(), kLeastWidth));
  box.setHeight(std::max(box.height(), fontMetrics().height() + 8));
  setGeometry(box);
  m_words->setFixedWidth(kNoteWidth);
  m_note->adjustSize();
  const QSize room = view().viewport()->size();
  const bool isRoomBelow = box.bottom() + kNoteGap + m_note->height() < room.height();
  m_note->move(std::clamp(box.left(), 0, std::max(0, room.width() - m_note->width())),
               isRoomBelow ? box.bottom() + kNoteGap : box.top() - kNoteGap - m_note->height());
  m_note->raise();
}

void NameEditor::showMessage() {
  const QString why = m_rules.whyNot(text());
  setStyleProperty(*m_note, "note", why.isEmpty() ? "info" : "error");
  m_words->setText(why.isEmpty() ? m_rules.hint : why);
  setAccessibleDescription(m_words->text());
  placeIfOpen();
}

std::optional<QString> NameEditor::accepted() const {
  const QString name = text();
  const bool isOther = name != m_before && m_rules.whyNot(name).isEmpty();
  return isOther ? std::optional(name) : std::nullopt;
}

void NameEditor::closed() { m_note->hide(); }

void NameEditor::keyPressEvent(QKeyEvent* event) {
  const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (event->key() == Qt::Key_Escape) return cancel();
  if (!isEnter) return QLineEdit::keyPressEvent(event);
  if (m_rules.whyNot(text()).isEmpty()) accept();
}

}  // namespace millrace
