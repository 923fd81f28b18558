// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/loader/translation_view.h"

#include <algorithm>

#include <QHeaderView>
#include <QJsonArray>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "widgets/common/icons.h"
#include "widgets/common/row_copy.h"

namespace millrace {

namespace {

constexpr int kWidestPart = 380;

/// The icon of a word of docs/translation.md.
QString iconFor(const QString& how) {
  if (how == "exact") return "check";
  return how == "yours" ? "loader" : "warning";
}

/// What needs a look comes first.
QList<QJsonObject> byImportance(const QJsonArray& parts) {
  QList<QJsonObject> sorted;
  for (const auto& part : parts) sorted << part.toObject();
  std::stable_partition(sorted.begin(), sorted.end(),
                        [](const QJsonObject& part) { return part["how"].toString() != "exact"; });
  return sorted;
}

}  // namespace

TranslationView::TranslationView(QWidget* parent)
    : QWidget(parent), m_verdict(new QLabel), m_parts(new QTreeWidget) {
  m_verdict->setWordWrap(true);
  m_verdict->setTextFormat(Qt::PlainText);
  m_verdict->setObjectName("translation_verdict");
  m_parts->setObjectName("translation_parts");
  m_parts->setHeaderLabels({"", "Your loader", "Nodes", "What to know"});
  m_parts->setAccessibleName("Parts of the loader");
  m_parts->setRootIsDecorated(false);
  m_parts->setUniformRowHeights(true);
  m_parts->setSelectionMode(QAbstractItemView::ExtendedSelection);
  new RowCopy(*m_parts);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 12, 8);
  column->addWidget(m_verdict);
  column->addWidget(m_parts, 1);
}

QString TranslationView::verdict() const { return m_verdict->text(); }

void TranslationView::show(const QJsonObject& result) {
  m_parts->clear();
  const QString compared = result["proof"]["text"].toString();
  m_verdict->setText(result["verdict"].toString() +
                     (compared.isEmpty() ? QString() : ' ' + compared + '.'));
  for (const QJsonObject& part : byImportance(result["parts"].toArray())) {
    QStringList kinds;
    const QJsonArray became = part["became"].toArray();
    for (const auto& kind : became) kinds << kind.toString();
    const QString how = part["how"].toString();
    auto* item = new QTreeWidgetItem(
        m_parts, {how, part["was"].toString(), kinds.join(", "), part["note"].toString()});
    item->setIcon(0, icon(iconFor(how)));
    for (const int place : {1, 3}) item->setToolTip(place, item->text(place));
  }
  for (int i = 0; i < 3; ++i) m_parts->resizeColumnToContents(i);
  m_parts->setColumnWidth(1, std::min(m_parts->columnWidth(1), kWidestPart));
}

QString translationWords(const QJsonObject& result) {
  QStringList words;
  const QJsonArray all = result["parts"].toArray();
  for (const char* how : {"exact", "differs", "yours", "left out"}) {
    QStringList names;
    for (const auto& value : all)
      if (value.toObject()["how"].toString() == how)
        names << value.toObject()["was"].toString().section('(', 0, 0);
    if (names.isEmpty()) continue;
    QString line = QString("%1 %2").arg(names.size()).arg(how);
    if (QString(how) != "exact") line += " (" + names.join(", ") + ')';
    words << line;
  }
  return "Parts of the loader: " + words.join(", ") + ". " + result["verdict"].toString();
}

}  // namespace millrace
