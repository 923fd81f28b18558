// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/query_line.h"

#include <algorithm>

#include <QAction>
#include <QCoreApplication>
#include <QInputMethodEvent>
#include <QTextCharFormat>

#include "widgets/common/icons.h"
#include "widgets/common/style_property.h"

namespace millrace {

QueryLine::QueryLine(QWidget* parent) : QLineEdit(parent) {
  setFont(codeFont());
  setPlaceholderText("workers.count > 2 and not tag:draft");
  setAccessibleName("Query for runs");
  setClearButtonEnabled(true);
  addAction(icon("filter", Tone::Text2), LeadingPosition);
  setToolTip(
      "Compare with = != &lt; &lt;= &gt; &gt;= ~ (contains), join with and, or, not, ( ).<br>"
      "<code>workers.count &gt; 2 and not tag:draft</code><br>"
      "<code>samples_per_second &gt; 500 and state = finished</code><br>"
      "<code>name ~ \"night run\" or baseline</code><br>"
      "<code>started &gt; 2 days ago and peak_rss_bytes &gt; 2 GiB</code>");
  m_pause.setSingleShot(true);
  // No delay between keys: of many queries the store only starts the newest.
  m_pause.setInterval(0);
  connect(this, &QLineEdit::textChanged, &m_pause, qOverload<>(&QTimer::start));
  connect(&m_pause, &QTimer::timeout, this, [this] { emit queryChanged(text()); });
}

void QueryLine::setMistake(const std::optional<QueryMistake>& mistake) {
  m_marked.reset();
  QList<QInputMethodEvent::Attribute> attributes;
  if (mistake && !text().isEmpty()) {
    const QByteArray bytes = text().toUtf8();
    const auto letters = [&](std::size_t upTo) {
      return static_cast<int>(QString::fromUtf8(bytes.left(static_cast<qsizetype>(upTo))).size());
    };
    const int end = static_cast<int>(text().size());
    // A mistake after the end of the text is marked at the last character.
    const int begin = std::min(letters(mistake->at), end - 1);
    const int length = std::max(1, std::min(letters(mistake->at + mistake->length), end) - begin);
    m_marked = {begin, length};
    QTextCharFormat wave;
    wave.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    wave.setUnderlineColor(theme()[Tone::Error]);
    wave.setForeground(theme()[Tone::Error]);
    attributes.append({QInputMethodEvent::TextFormat, begin - cursorPosition(), length, wave});
  }
  // A line edit has no text formats except those of an input method.
  QInputMethodEvent event({}, attributes);
  QCoreApplication::sendEvent(this, &event);
  setStyleProperty(*this, "problem", mistake ? "error" : "");
}

}  // namespace millrace
