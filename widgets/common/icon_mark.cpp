// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/icon_mark.h"

#include <QPainter>

namespace millrace {

IconMark::IconMark(int size, QWidget* parent) : QWidget(parent) { setFixedSize(size, size); }

IconMark::IconMark(const QString& name, Tone tone, int size, QWidget* parent)
    : IconMark(size, parent) {
  setIcon(name, tone);
}

IconMark::IconMark(const QString& name, Category category, int size, QWidget* parent)
    : IconMark(size, parent) {
  m_name = name;
  m_category = category;
}

void IconMark::setIcon(const QString& name, Tone tone) {
  m_name = name;
  m_tone = tone;
  m_category.reset();
  update();
}

void IconMark::paintEvent(QPaintEvent*) {
  if (m_name.isEmpty()) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  if (m_category)
    paintMark(painter, m_name, *m_category, rect());
  else
    paintIcon(painter, m_name, rect(), theme()[m_tone]);
}

}  // namespace millrace
