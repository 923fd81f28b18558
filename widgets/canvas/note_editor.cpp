// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/note_editor.h"

#include <algorithm>
#include <utility>

#include <QKeyEvent>

#include "widgets/canvas/note_items.h"

namespace millrace {

NoteEditor::NoteEditor(CanvasView& view) : InPlaceEditor(view) {
  setObjectName("noteEditor");
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setTabChangesFocus(true);
  connect(this, &QPlainTextEdit::textChanged, this, [this] {
    if (isOpen()) scrollTo();
    placeIfOpen();
  });
}

void NoteEditor::open(Text kind, const QRectF& box, const QString& text, Done done) {
  accept();
  m_kind = kind;
  m_box = box;
  const bool isComment = kind == Text::Comment;
  setAccessibleName(isComment ? "Text of the comment" : "Name of the group");
  setPlaceholderText(isComment ? "Comment; Ctrl+Enter ends" : "Name of the group; Enter ends");
  setLineWrapMode(isComment ? QPlainTextEdit::WidgetWidth : QPlainTextEdit::NoWrap);
  setPlainText(text);
  scrollTo();
  begin(std::move(done));
}

QRectF NoteEditor::grownBox() const {
  QRectF box = m_box;
  if (m_kind == Text::Comment)
    box.setHeight(std::max(box.height(), commentSize(toPlainText()).height()));
  return box;
}

void NoteEditor::scrollTo() const {
  constexpr int kMargin = 12;
  view().ensureVisible(grownBox(), kMargin, kMargin);
}

void NoteEditor::place() {
  setFont(fontInView(m_kind == Text::Title));
  QRect shown = view().mapFromScene(grownBox()).boundingRect();
  shown.setHeight(std::max(shown.height(), fontMetrics().height() + 12));
  setGeometry(shown);
}

void NoteEditor::keyPressEvent(QKeyEvent* event) {
  const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (isEnter && (m_kind == Text::Title || event->modifiers() & Qt::ControlModifier))
    return accept();
  if (event->key() == Qt::Key_Escape) return cancel();
  QPlainTextEdit::keyPressEvent(event);
}

}  // namespace millrace
