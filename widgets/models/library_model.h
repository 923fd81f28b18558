// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QSortFilterProxyModel>

#include "core/spec/catalog.h"
#include "widgets/common/search_rank.h"

namespace millrace {

/// The MIME type of a dragged kind; the data is the kind's name.
inline constexpr const char* kKindMime = "application/x-millrace-kind";

/// The kinds of a catalog as a tree: categories, and below each its kinds. Constant.
class LibraryModel : public QAbstractItemModel {
  Q_OBJECT
 public:
  enum Role { KindRole = Qt::UserRole, SearchRole };

  /// `catalog` must outlive the model.
  explicit LibraryModel(const Catalog& catalog, QObject* parent = nullptr);

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  QStringList mimeTypes() const override;
  QMimeData* mimeData(const QModelIndexList& indexes) const override;

  /// The kind at an index; nullptr for a category.
  const NodeSpec* kindAt(const QModelIndex& index) const;

 private:
  struct Group {
    Category category;
    std::vector<const NodeSpec*> kinds;
  };
  QVariant groupData(const Group& group, int role) const;
  QVariant kindData(const NodeSpec& spec, int role) const;

  std::vector<Group> m_groups;
};

/// Accepts kinds whose label, name or tags contain all typed words, and their categories, in the
/// order of searchRank.
class LibraryFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;
  void setTyped(const QString& text);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

 private:
  /// Of a kind, or of the best kind of a category.
  SearchRank rankOf(const QModelIndex& index) const;

  QString m_typed;
};

/// What a kind is found by besides its names: category and tags.
QString searchTextOf(const NodeSpec& spec);

}  // namespace millrace
