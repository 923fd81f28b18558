// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/inspector_text.h"

#include <QLabel>

namespace millrace {

QLabel* textLabel(const QString& text, const char* role) {
  auto* label = new QLabel(text);
  label->setProperty("role", role);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setFocusPolicy(Qt::NoFocus);
  return label;
}

QString tableHtml(const QList<std::pair<QString, QString>>& rows) {
  if (rows.empty()) return {};
  QString html = "<table cellspacing='0' cellpadding='2'>";
  for (const auto& [name, value] : rows)
    html += "<tr><td>" + name.toHtmlEscaped() + "&nbsp;&nbsp;&nbsp;</td><td>" +
            value.toHtmlEscaped() + "</td></tr>";
  return html + "</table>";
}

}  // namespace millrace
