// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/data/sample_list_model.h"

#include <algorithm>
#include <utility>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/data/sample_pictures.h"

namespace millrace {

/// What a row shows, of either kind of list.
struct SampleListModel::Row {
  const ReportedSample* found = nullptr;
  const SlowSample* slow = nullptr;

  const std::string& name() const { return found != nullptr ? found->name : slow->name; }
  const std::string& file() const { return found != nullptr ? found->file : slow->file; }
};

namespace {

/// Of these there is nothing to see.
bool isWithoutPicture(Finding finding) {
  return finding == Finding::Unreadable || finding == Finding::Hanging ||
         finding == Finding::Broken;
}

QString titleOf(SampleListModel::Column column) {
  switch (column) {
    case SampleListModel::Sample: return "Sample";
    case SampleListModel::Like: return "Earlier sample";
    case SampleListModel::Reason: return "Why";
    case SampleListModel::Set: return "Set";
    case SampleListModel::Pixels: return "Pixels";
    case SampleListModel::Bytes: return "Size";
    case SampleListModel::Time: return "Time to decode";
  }
  return {};
}

bool isNumber(SampleListModel::Column column) {
  return column == SampleListModel::Pixels || column == SampleListModel::Bytes ||
         column == SampleListModel::Time;
}

QString textOf(const ReportedSample& sample, SampleListModel::Column column) {
  switch (column) {
    case SampleListModel::Like: return toQt(visibleName(sample.like));
    case SampleListModel::Reason: return toQt(visibleName(sample.reason));
    case SampleListModel::Set: return toQt(visibleName(sample.set));
    default: return toQt(visibleName(sample.name));
  }
}

QString textOf(const SlowSample& sample, SampleListModel::Column column) {
  const auto number = [](std::uint32_t value) { return shownNumber(std::int64_t{value}); };
  switch (column) {
    case SampleListModel::Pixels: return number(sample.width) + " × " + number(sample.height);
    case SampleListModel::Bytes:
      return toQt(humanBytes(static_cast<double>(sample.bytes))).replace(' ', kNoBreak);
    case SampleListModel::Time:
      return toQt(humanSeconds(sample.milliseconds / 1000)).replace(' ', kNoBreak);
    default: return toQt(visibleName(sample.name));
  }
}

}  // namespace

SampleListModel::SampleListModel(SamplePictures& pictures, QObject* parent)
    : QAbstractTableModel(parent), m_pictures(pictures) {
  connect(&m_pictures, &SamplePictures::made, this, [this] {
    if (rowCount() > 0)
      emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::DecorationRole});
  });
}

void SampleListModel::show(std::shared_ptr<const DataReport> report, std::vector<Column> columns) {
  beginResetModel();
  m_report = std::move(report);
  m_columns = std::move(columns);
  m_finding = nullptr;
  m_slow = nullptr;
}

void SampleListModel::showNone() {
  show(nullptr, {});
  endResetModel();
}

void SampleListModel::showFinding(std::shared_ptr<const DataReport> report, std::size_t index) {
  const ReportedFinding& finding = report->findings.at(index);
  const auto any = [&](std::string ReportedSample::* text) {
    return std::ranges::any_of(
        finding.samples, [text](const ReportedSample& sample) { return !(sample.*text).empty(); });
  };
  std::vector<Column> columns{Sample};
  if (any(&ReportedSample::like)) columns.push_back(Like);
  if (any(&ReportedSample::reason)) columns.push_back(Reason);
  if (report->sets.size() > 1) columns.push_back(Set);
  show(std::move(report), std::move(columns));
  m_finding = &finding;
  endResetModel();
}

void SampleListModel::showSlowest(std::shared_ptr<const DataReport> report, std::size_t index) {
  const SetReport& set = report->sets.at(index);
  show(std::move(report), {Sample, Time, Pixels, Bytes});
  m_slow = &set;
  endResetModel();
}

SampleListModel::Row SampleListModel::rowAt(int row) const {
  const auto at = static_cast<std::size_t>(row);
  if (m_finding != nullptr) return {&m_finding->samples[at], nullptr};
  return {nullptr, &m_slow->slowest[at]};
}

bool SampleListModel::hasPictures() const {
  if (rowCount() == 0 || (m_finding != nullptr && isWithoutPicture(m_finding->finding)))
    return false;
  return std::ranges::any_of(m_report->sets, [](const SetReport& set) { return set.pictures > 0; });
}

SampleToShow SampleListModel::placeAt(int row, bool like) const {
  const Row shown = rowAt(row);
  if (shown.slow != nullptr)
    return {shown.slow->file, m_slow->path, shown.slow->name, shown.slow->index};
  const ReportedSample& found = *shown.found;
  const std::string& name = like ? found.likeSet : found.set;
  const auto set = std::ranges::find(m_report->sets, name, &SetReport::name);
  const std::string data = set == m_report->sets.end() ? std::string() : set->path;
  return like ? SampleToShow{found.likeFile, data, found.like, found.likeIndex}
              : SampleToShow{found.file, data, found.name, found.index};
}

QString SampleListModel::pathAt(int row) const {
  const Row shown = rowAt(row);
  return fileText(shown.file().empty() ? shown.name() : shown.file());
}

int SampleListModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid()) return 0;
  if (m_finding != nullptr) return static_cast<int>(m_finding->samples.size());
  return m_slow == nullptr ? 0 : static_cast<int>(m_slow->slowest.size());
}

int SampleListModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant SampleListModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Row row = rowAt(index.row());
  const Column column = m_columns[static_cast<std::size_t>(index.column())];
  switch (role) {
    case Qt::DisplayRole:
      return row.found != nullptr ? textOf(*row.found, column) : textOf(*row.slow, column);
    case Qt::ToolTipRole:
      if (column == Sample) return pathAt(index.row());
      if (column == Like && !row.found->likeFile.empty()) return fileText(row.found->likeFile);
      return data(index, Qt::DisplayRole);
    case Qt::TextAlignmentRole:
      return static_cast<int>((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) |
                              Qt::AlignVCenter);
    case Qt::DecorationRole:
      if (!hasPictures()) return {};
      if (column == Sample) return m_pictures.picture(placeAt(index.row(), false));
      if (column == Like) return m_pictures.picture(placeAt(index.row(), true));
      return {};
    default: return {};
  }
}

QVariant SampleListModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section >= columnCount()) return {};
  const Column column = m_columns[static_cast<std::size_t>(section)];
  if (role == Qt::DisplayRole) return titleOf(column);
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter |
                            Qt::TextWordWrap);
  return {};
}

}  // namespace millrace
