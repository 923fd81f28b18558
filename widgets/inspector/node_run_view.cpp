// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/node_run_view.h"

#include <QFrame>
#include <QLabel>
#include <QTextDocument>
#include <QVBoxLayout>

#include "widgets/charts/times_histogram.h"
#include "widgets/inspector/inspector_text.h"

namespace millrace {

NodeRunView::NodeRunView(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
}

void NodeRunView::showRun(const std::optional<NodeRun>& ran) {
  qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
  setVisible(ran.has_value());
  if (!ran) return;
  auto* line = new QFrame;
  line->setProperty("line", true);
  layout()->addWidget(line);
  auto* heading = new QLabel(ran->heading);
  heading->setProperty("role", "section");
  layout()->addWidget(heading);
  if (!ran->rows.isEmpty()) layout()->addWidget(textLabel(tableHtml(ran->rows), {}));
  if (!ran->note.isEmpty()) layout()->addWidget(textLabel(ran->note.toHtmlEscaped(), "second"));
  if (ran->times.total() == 0) return;
  auto* times = new TimesHistogram;
  times->show(ran->times, ran->meanMs);
  layout()->addWidget(times);
}

QString NodeRunView::text() const {
  if (isHidden()) return {};
  QStringList lines;
  const QList<QLabel*> labels = findChildren<QLabel*>();
  for (const QLabel* label : labels) {
    QTextDocument shown;
    shown.setHtml(label->text());
    lines << shown.toPlainText();
  }
  return lines.join('\n');
}

}  // namespace millrace
