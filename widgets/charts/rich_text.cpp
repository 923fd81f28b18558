// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/rich_text.h"

namespace millrace {

QLabel* richLabel(const char* role) {
  auto* label = new QLabel;
  if (role != nullptr) label->setProperty("role", role);
  label->setWordWrap(true);
  label->setTextFormat(Qt::RichText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByKeyboard |
                                 Qt::LinksAccessibleByMouse);
  return label;
}

QString htmlList(const QStringList& lines) {
  if (lines.isEmpty()) return {};
  return "<ul style='margin-left: -24px'><li>" + lines.join("</li><li>") + "</li></ul>";
}

}  // namespace millrace
