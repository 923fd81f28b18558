// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/preview/thumbnail_model.h"

#include "widgets/bridge/preview_session.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

QString toolTipOf(const ShownSample& sample) {
  QStringList lines{sample.name.toHtmlEscaped()};
  if (!sample.error.isEmpty()) lines << richSentence(fromQt(sample.error));
  for (const ShownField& field : sample.fields) {
    QString line = QString("<b>%1</b> %2").arg(field.name.toHtmlEscaped(), field.typeText());
    if (!field.labelClass.isEmpty()) line += ", " + field.classText().toHtmlEscaped();
    lines << line;
  }
  return lines.join("<br>");
}

}  // namespace

QString captionOf(const ShownSample& sample) {
  if (!sample.error.isEmpty()) return "failed";
  const QString label = sample.labelText();
  return label.isEmpty() ? sample.name.section('/', -1) : label;
}

ThumbnailModel::ThumbnailModel(const PreviewSession& session, QObject* parent)
    : QAbstractListModel(parent), m_session(session) {
  connect(&session, &PreviewSession::changed, this, &ThumbnailModel::refresh);
  refresh();
}

void ThumbnailModel::refresh() {
  const int now = static_cast<int>(m_session.samples().size());
  if (now > m_rows) {
    beginInsertRows({}, m_rows, now - 1);
    m_rows = now;
    endInsertRows();
  } else if (now < m_rows) {
    beginRemoveRows({}, now, m_rows - 1);
    m_rows = now;
    endRemoveRows();
  }
  if (m_rows > 0) emit dataChanged(index(0), index(m_rows - 1));
}

int ThumbnailModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : m_rows;
}

const ShownSample& ThumbnailModel::sample(int row) const {
  return m_session.samples()[static_cast<std::size_t>(row)];
}

QVariant ThumbnailModel::data(const QModelIndex& index, int role) const {
  // The session may already hold fewer samples; the views learn that next.
  if (!index.isValid() || index.row() >= static_cast<int>(m_session.samples().size())) return {};
  const ShownSample& shown = sample(index.row());
  switch (role) {
    case Qt::DisplayRole: return captionOf(shown);
    case Qt::AccessibleTextRole: return captionOf(shown) + ", " + shown.name;
    case Qt::ToolTipRole: return toolTipOf(shown);
    case FreshRole: return static_cast<std::size_t>(index.row()) < m_session.fresh();
    default: return {};
  }
}

}  // namespace millrace
