// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

#include "widgets/canvas/in_place_editor.h"

namespace millrace {

/// Edits a note's text. A comment wraps, and Ctrl+Enter or a click outside accepts it; Enter
/// accepts a title, which has one line. Esc restores. GUI thread.
class NoteEditor : public InPlaceEditor<QPlainTextEdit> {
  Q_OBJECT
 public:
  enum class Text { Comment, Title };

  explicit NoteEditor(CanvasView& view);

  /// `box`: the note's place in the scene. `done` receives the text unless the user cancels.
  void open(Text kind, const QRectF& box, const QString& text, Done done);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void place() override;
  std::optional<QString> accepted() const override { return toPlainText(); }

 private:
  /// The place in the scene that the text takes: a comment is as high as its text.
  QRectF grownBox() const;
  void scrollTo() const;

  Text m_kind = Text::Comment;
  QRectF m_box;
};

}  // namespace millrace
