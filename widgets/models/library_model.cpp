// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/library_model.h"

#include <algorithm>
#include <utility>

#include <QMimeData>

#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"

namespace millrace {

QString searchTextOf(const NodeSpec& spec) {
  QString text = toQt(nameOf(spec.category));
  for (const std::string& tag : spec.tags) text += ' ' + toQt(tag);
  return text;
}

LibraryModel::LibraryModel(const Catalog& catalog, QObject* parent) : QAbstractItemModel(parent) {
  for (int c = 0; c <= static_cast<int>(Category::Consumer); ++c) {
    Group group{static_cast<Category>(c), {}};
    for (const NodeSpec& spec : catalog.all())
      if (spec.category == group.category) group.kinds.push_back(&spec);
    if (!group.kinds.empty()) m_groups.push_back(std::move(group));
  }
}

// The internal id is 0 for a category, and for a kind its group's row plus one.
QModelIndex LibraryModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : 0);
}

QModelIndex LibraryModel::parent(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == 0) return {};
  return createIndex(static_cast<int>(index.internalId()) - 1, 0, quintptr{0});
}

int LibraryModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(m_groups.size());
  if (parent.internalId() != 0 || parent.column() != 0) return 0;
  return static_cast<int>(m_groups[static_cast<std::size_t>(parent.row())].kinds.size());
}

int LibraryModel::columnCount(const QModelIndex&) const { return 1; }

const NodeSpec* LibraryModel::kindAt(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == 0) return nullptr;
  return m_groups[index.internalId() - 1].kinds[static_cast<std::size_t>(index.row())];
}

QVariant LibraryModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const NodeSpec* spec = kindAt(index);
  if (spec == nullptr) return groupData(m_groups[static_cast<std::size_t>(index.row())], role);
  return kindData(*spec, role);
}

QVariant LibraryModel::groupData(const Group& group, int role) const {
  QString name = toQt(nameOf(group.category));
  name[0] = name[0].toUpper();
  switch (role) {
    case Qt::DisplayRole: return name;
    case Qt::DecorationRole: return markIcon(iconOf(group.category), group.category);
    case Qt::FontRole: return uiFont(13, true);
    case Qt::AccessibleTextRole: return QString("%1, %2 kinds").arg(name).arg(group.kinds.size());
    default: return {};
  }
}

QVariant LibraryModel::kindData(const NodeSpec& spec, int role) const {
  switch (role) {
    case Qt::DisplayRole: return toQt(spec.label);
    case Qt::ToolTipRole:
      return QString("<b>%1</b><p>%2</p>").arg(toQt(spec.label), richSentence(spec.help));
    case Qt::AccessibleDescriptionRole: return toQt(spec.help).remove('`');
    case KindRole: return toQt(spec.kind);
    case SearchRole: return searchTextOf(spec);
    default: return {};
  }
}

Qt::ItemFlags LibraryModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  return kindAt(index) == nullptr ? flags
                                  : flags | Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren;
}

QStringList LibraryModel::mimeTypes() const { return {kKindMime}; }

QMimeData* LibraryModel::mimeData(const QModelIndexList& indexes) const {
  for (const QModelIndex& index : indexes)
    if (const NodeSpec* spec = kindAt(index)) {
      auto* mime = new QMimeData;
      mime->setData(kKindMime, QByteArray::fromStdString(spec->kind));
      return mime;
    }
  return nullptr;
}

void LibraryFilter::setTyped(const QString& text) {
  m_typed = text;
  invalidate();
  sort(0);
}

SearchRank LibraryFilter::rankOf(const QModelIndex& index) const {
  if (sourceModel()->rowCount(index) == 0)
    return searchRank(m_typed,
                      {index.data().toString(), index.data(LibraryModel::KindRole).toString()},
                      index.data(LibraryModel::SearchRole).toString());
  SearchRank best = SearchRank::None;
  for (int i = 0; i < sourceModel()->rowCount(index); ++i)
    best = std::min(best, rankOf(sourceModel()->index(i, 0, index)));
  return best;
}

bool LibraryFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  return rankOf(sourceModel()->index(row, 0, parent)) != SearchRank::None;
}

bool LibraryFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  return std::pair(rankOf(left), left.row()) < std::pair(rankOf(right), right.row());
}

}  // namespace millrace
