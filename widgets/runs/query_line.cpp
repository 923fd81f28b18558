// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/query_line.h"

#include <algorithm>

#include <QAbstractItemView>
#include <QAction>
#include <QCompleter>
#include <QCoreApplication>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QRegularExpression>
#include <QStringListModel>
#include <QTextCharFormat>

#include "widgets/common/icons.h"
#include "widgets/common/style_property.h"

namespace millrace {

namespace {

/// 0: the name begins with the word; 1: a part of it does; 2: neither.
int placeOf(const QString& word, const QString& name) {
  if (name.startsWith(word, Qt::CaseInsensitive)) return 0;
  const bool isPart = name.contains('.' + word, Qt::CaseInsensitive) ||
                      name.contains('_' + word, Qt::CaseInsensitive);
  return isPart ? 1 : 2;
}

}  // namespace

QueryLine::QueryLine(QWidget* parent)
    : QLineEdit(parent),
      m_names(new QStringListModel(this)),
      m_completer(new QCompleter(m_names, this)) {
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
  m_typing.setSingleShot(true);
  m_typing.setInterval(kTypingMs);
  connect(&m_typing, &QTimer::timeout, this, &QueryLine::mark);
  connect(this, &QLineEdit::textEdited, this, [this] {
    m_typing.start();
    if (m_shown) mark();
    offer(false);
  });
  // Not QLineEdit's own completer, which replaces the whole text.
  m_completer->setWidget(this);
  m_completer->setCaseSensitivity(Qt::CaseInsensitive);
  m_completer->setFilterMode(Qt::MatchContains);
  m_completer->setMaxVisibleItems(10);
  connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this,
          &QueryLine::complete);
}

void QueryLine::setNames(const QStringList& names) {
  m_allNames = names;
  if (m_names->stringList() != names) m_names->setStringList(names);
}

QString QueryLine::wordAtCursor() const {
  static const QRegularExpression word("[A-Za-z_][A-Za-z0-9_.]*$");
  return word.match(text().left(cursorPosition())).captured();
}

/// Shows the names that contain the word before the cursor, first those that begin with it, then
/// those of which a part does. `isAsked`: all of them for no word.
void QueryLine::offer(bool isAsked) {
  const QString word = wordAtCursor();
  QStringList names = m_allNames;
  std::ranges::stable_sort(names, {}, [&](const QString& name) { return placeOf(word, name); });
  m_names->setStringList(names);
  m_completer->setCompletionPrefix(word);
  const bool isWhole = m_completer->completionCount() == 1 &&
                       m_completer->currentCompletion().compare(word, Qt::CaseInsensitive) == 0;
  if ((word.isEmpty() && !isAsked) || isWhole || m_completer->completionCount() == 0)
    return m_completer->popup()->hide();
  constexpr int kWidth = 320;
  const QRect at = cursorRect();
  m_completer->complete(QRect(at.left(), 0, std::min(kWidth, width()), height()));
}

void QueryLine::complete(const QString& name) {
  const auto length = static_cast<int>(wordAtCursor().size());
  setSelection(cursorPosition() - length, length);
  insert(name);
}

void QueryLine::keyPressEvent(QKeyEvent* event) {
  const bool isOpen = m_completer->popup()->isVisible();
  const bool accepts = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter ||
                       event->key() == Qt::Key_Tab;
  // The popup takes these keys if an entry is current.
  if (isOpen && (accepts || event->key() == Qt::Key_Escape)) return event->ignore();
  if (event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier)
    return offer(true);
  QLineEdit::keyPressEvent(event);
  if (accepts) endTyping();
}

void QueryLine::focusOutEvent(QFocusEvent* event) {
  QLineEdit::focusOutEvent(event);
  if (event->reason() != Qt::PopupFocusReason) endTyping();
}

void QueryLine::endTyping() {
  m_typing.stop();
  mark();
}

void QueryLine::setMistake(const std::optional<QueryMistake>& mistake) {
  m_mistake = mistake;
  mark();
}

void QueryLine::mark() {
  const std::optional<QueryMistake> mistake = m_typing.isActive() ? std::nullopt : m_mistake;
  m_shown = mistake;
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
  emit shownMistakeChanged();
}

}  // namespace millrace
