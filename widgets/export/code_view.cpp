// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/code_view.h"

#include <QPainter>
#include <QTextBlock>

#include "widgets/common/theme.h"

namespace millrace {

namespace {

constexpr int kBesideNumbers = 10;

}  // namespace

class CodeView::Numbers : public QWidget {
 public:
  explicit Numbers(CodeView& view) : QWidget(&view), m_view(view) {}

 protected:
  void paintEvent(QPaintEvent* event) override { m_view.paintNumbers(event); }

 private:
  CodeView& m_view;
};

CodeView::CodeView(QWidget* parent)
    : QPlainTextEdit(parent),
      m_numbers(new Numbers(*this)),
      m_highlighter(new CodeHighlighter(document())) {
  setReadOnly(true);
  setFont(codeFont());
  setLineWrapMode(NoWrap);
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  setAccessibleName("Code");
  connect(this, &QPlainTextEdit::blockCountChanged, this, &CodeView::placeNumbers);
  connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
    if (dy != 0)
      m_numbers->scroll(0, dy);
    else
      m_numbers->update(0, rect.y(), m_numbers->width(), rect.height());
  });
  placeNumbers();
}

void CodeView::setCode(const QString& text, CodeLanguage language) {
  m_highlighter->setLanguage(language);
  if (text != toPlainText()) setPlainText(text);
}

int CodeView::numbersWidth() const {
  const auto digits = static_cast<int>(QString::number(std::max(100, blockCount())).size());
  return digits * QFontMetrics(codeFont()).horizontalAdvance('0') + 2 * kBesideNumbers;
}

void CodeView::placeNumbers() {
  setViewportMargins(numbersWidth(), 0, 0, 0);
  const QRect inside = contentsRect();
  m_numbers->setGeometry(inside.left(), inside.top(), numbersWidth(), inside.height());
}

void CodeView::paintNumbers(QPaintEvent* event) {
  QPainter painter(m_numbers);
  painter.fillRect(event->rect(), theme()[Tone::Alt]);
  painter.setFont(codeFont());
  painter.setPen(theme()[Tone::Hint]);
  QTextBlock block = firstVisibleBlock();
  qreal top = blockBoundingGeometry(block).translated(contentOffset()).top();
  while (block.isValid() && top <= event->rect().bottom()) {
    const qreal height = blockBoundingRect(block).height();
    painter.drawText(QRectF(0, top, m_numbers->width() - kBesideNumbers, height),
                     Qt::AlignRight | Qt::AlignTop, QString::number(block.blockNumber() + 1));
    block = block.next();
    top += height;
  }
}

void CodeView::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  placeNumbers();
}

void CodeView::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) m_highlighter->rehighlight();
}

}  // namespace millrace
