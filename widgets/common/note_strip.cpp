// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/note_strip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "widgets/common/strings.h"

namespace millrace {

NoteStrip::NoteStrip(const char* kind, QWidget* parent)
    : QFrame(parent), m_row(new QHBoxLayout(this)), m_words(new QLabel) {
  setProperty("note", kind);
  m_row->setContentsMargins(12, 4, 8, 4);
  m_words->setWordWrap(true);
  m_words->setTextFormat(Qt::RichText);
  m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_words->setFocusPolicy(Qt::NoFocus);
  m_row->addWidget(m_words, 1);
  hide();
}

void NoteStrip::say(const QString& words) {
  m_said = QString(words).remove('`');
  m_words->setText(richText(words));
  setVisible(!words.isEmpty());
}

QString NoteStrip::words() const { return isHidden() ? QString() : m_said; }

QPushButton* NoteStrip::addButton(const QString& text) {
  auto* button = new QPushButton(text);
  m_row->addWidget(button);
  return button;
}

void NoteStrip::addWidget(QWidget* widget) { m_row->addWidget(widget); }

}  // namespace millrace
