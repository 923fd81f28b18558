// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/preview/preview_seed.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRandomGenerator>
#include <QRegularExpressionValidator>

#include "widgets/preview/bar_button.h"

namespace millrace {

namespace {

constexpr int kRoomForLine = 470;
constexpr int kRoomForLabel = 510;

}  // namespace

PreviewSeed::PreviewSeed(QWidget* parent)
    : QWidget(parent), m_label(new QLabel("Seed")), m_line(new QLineEdit) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  row->addWidget(m_label);
  m_line->setObjectName("preview_seed");
  m_line->setAccessibleName("Seed of the preview");
  m_line->setFixedWidth(64);
  m_line->setValidator(new QRegularExpressionValidator(QRegularExpression("[0-9]{1,18}"), m_line));
  connect(m_line, &QLineEdit::textEdited, this, [this](const QString& text) {
    if (!text.isEmpty()) choose(text.toULongLong());
  });
  row->addWidget(m_line);
  m_dice = barButton(*row, "preview_dice", "dice", "Another seed");
  connect(m_dice, &QToolButton::clicked, this, [this] {
    constexpr quint32 kMost = 1000000;
    choose(QRandomGenerator::global()->bounded(kMost));
    refresh();
  });
  m_ownButton = barButton(*row, "preview_own_seed", "reset", "Use the pipeline's seed again");
  connect(m_ownButton, &QToolButton::clicked, this, [this] {
    choose({});
    refresh();
  });
}

void PreviewSeed::reset() { m_chosen.reset(); }

void PreviewSeed::setOwn(quint64 own) {
  m_own = own;
  refresh();
}

void PreviewSeed::setRoom(int width) {
  m_room = width;
  m_label->setVisible(width >= kRoomForLabel);
  m_line->setVisible(width >= kRoomForLine);
  m_dice->setVisible(width >= kRoomForLine);
  refresh();
}

void PreviewSeed::choose(std::optional<quint64> seed) {
  m_chosen = seed;
  emit changed();
}

void PreviewSeed::refresh() {
  m_ownButton->setVisible(m_chosen && m_chosen != m_own && m_room >= kRoomForLine);
  if (!m_own) return;
  // A number that is being typed is not replaced by the same number in another form.
  if (!m_line->hasFocus() || m_line->text().toULongLong() != m_chosen.value_or(*m_own))
    m_line->setText(QString::number(m_chosen.value_or(*m_own)));
}

}  // namespace millrace
