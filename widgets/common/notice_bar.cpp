// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/notice_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include "widgets/common/icon_mark.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"

namespace millrace {

NoticeBar::NoticeBar(QWidget* parent) : QFrame(parent), m_column(new QVBoxLayout(this)) {
  setProperty("note", "warning");
  setAccessibleName("Notices");
  m_column->setContentsMargins(12, 4, 12, 4);
  m_column->setSpacing(4);
}

QWidget* NoticeBar::line(const Notice& notice) {
  auto* line = new QWidget;
  auto* row = new QHBoxLayout(line);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  auto* mark = new IconMark("warning", Tone::Warning, 16);
  auto* words = new QLabel(richText(notice.sentence));
  words->setTextFormat(Qt::RichText);
  words->setWordWrap(true);
  row->addWidget(mark);
  row->addWidget(words, 1);
  for (const auto& [text, act] : notice.answers) {
    auto* button = new QPushButton(text);
    // An answer removes the line and this button with it.
    connect(button, &QPushButton::clicked, this,
            [this, answer = act] { QTimer::singleShot(0, this, answer); });
    row->addWidget(button);
  }
  return line;
}

void NoticeBar::show(const QList<Notice>& notices) {
  m_notices = notices;
  while (QLayoutItem* item = m_column->takeAt(0)) {
    item->widget()->hide();
    item->widget()->deleteLater();
    delete item;
  }
  for (const Notice& notice : notices) m_column->addWidget(line(notice));
}

}  // namespace millrace
