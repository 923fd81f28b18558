// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/sweep_table_model.h"

#include <algorithm>

#include <QFont>

#include "core/metrics/metric_text.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/models/live/run_overlay.h"
#include "widgets/models/search/live_sweep.h"
#include "widgets/sweep/sweep_grid.h"

namespace millrace {

namespace {

struct Head {
  const char* title;
  const char* help;
  int width;
};
constexpr int kAxisWidth = 96;
constexpr Head kHeads[] = {
    {"Samples/s", "Mean of the repeats", 100},
    {"95 % interval", "Confidence interval of the mean; needs three repeats", 150},
    {"Change", "Change of the mean relative to the pipeline's current setting", 100},
    {"Run", "The run that keeps it", 60},
    {"State", "Progress, or why it failed", 200}};

}  // namespace

SweepTableModel::SweepTableModel(const LiveSweep& sweep, QObject* parent)
    : QAbstractTableModel(parent), m_sweep(sweep) {}

std::vector<std::size_t> SweepTableModel::wantedOrder() const {
  std::vector<std::size_t> order;
  if (!m_sweep.isKnown()) return order;
  order = m_sweep.finding().ranking;
  std::vector<bool> there(m_sweep.points().size(), false);
  for (const std::size_t point : order) there[point] = true;
  for (const bool failed : {false, true})
    for (std::size_t p = 0; p < there.size(); ++p)
      if (!there[p] && m_sweep.points()[p].failed() == failed) order.push_back(p);
  return order;
}

void SweepTableModel::refresh() {
  std::vector<std::size_t> order = wantedOrder();
  const int axes = static_cast<int>(m_sweep.plan().axes.size());
  if (order.size() != m_order.size() || axes != m_axes) {
    beginResetModel();
    m_order = std::move(order);
    m_axes = axes;
    endResetModel();
    return;
  }
  if (order != m_order) {
    emit layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    const std::vector<std::size_t> old = std::exchange(m_order, std::move(order));
    for (const QModelIndex& index : before)
      changePersistentIndex(
          index, this->index(rowOf(old[static_cast<std::size_t>(index.row())]), index.column()));
    emit layoutChanged();
  }
  if (!m_order.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int SweepTableModel::rowOf(std::size_t point) const {
  const auto found = std::ranges::find(m_order, point);
  return found == m_order.end() ? -1 : static_cast<int>(found - m_order.begin());
}

int SweepTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int SweepTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || m_order.empty() ? 0 : m_axes + kColumns;
}

QString SweepTableModel::text(std::size_t point, Column column) const {
  const auto rate = m_sweep.rateOf(point);
  switch (column) {
    case Rate: return rate ? shownRate(*rate) : QString();
    case Interval: {
      const RateFigures& all = m_sweep.finding().figures[point].samplesPerSecond;
      if (!rate || !all.ci95Low || !all.ci95High) return {};
      // With a few widely scattered repeats, the interval would extend below zero.
      return shownRate(std::max(0.0, *all.ci95Low)) + " to " + shownRate(*all.ci95High);
    }
    case Change: {
      const auto now = m_sweep.rateOf(m_sweep.plan().current());
      if (m_sweep.plan().points[point].current) return "now";
      const auto ratio = rate && now ? shownRatio(*now, *rate) : std::nullopt;
      return ratio ? shownChange(*ratio) : QString();
    }
    case State: {
      const std::string& why = m_sweep.points()[point].failure;
      return why.empty() ? m_sweep.stateText(point) : "failed: " + sentence(why);
    }
    default: return m_sweep.runOf(point);
  }
}

bool SweepTableModel::isText(int column) const {
  return column < m_axes || column - m_axes == State;
}

QVariant SweepTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const std::size_t point = pointAt(index.row());
  const bool axis = index.column() < m_axes;
  const auto column = static_cast<Column>(index.column() - m_axes);
  const bool failed = m_sweep.points()[point].failed();
  switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
      if (axis)
        return shownSetting(
            m_sweep.plan().points[point].values[static_cast<std::size_t>(index.column())]);
      return text(point, column);
    case Qt::TextAlignmentRole:
      return static_cast<int>(Qt::AlignVCenter |
                              (isText(index.column()) ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::FontRole:
      if (m_sweep.finding().best == point && (axis || column == Rate)) return uiFont(13, true);
      return {};
    case Qt::ForegroundRole:
      if (failed && !axis) return theme()[Tone::Error];
      return {};
    default: return {};
  }
}

int SweepTableModel::usualWidth(int column) const {
  return column < m_axes ? kAxisWidth : kHeads[column - m_axes].width;
}

QVariant SweepTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>(Qt::AlignVCenter | Qt::TextWordWrap |
                            (isText(section) ? Qt::AlignLeft : Qt::AlignRight));
  const bool title = role == Qt::DisplayRole;
  if (!title && role != Qt::ToolTipRole) return {};
  if (section >= m_axes)
    return title ? kHeads[section - m_axes].title : kHeads[section - m_axes].help;
  const auto axis = static_cast<std::size_t>(section);
  return title ? shownParameter(m_sweep, axis) : toQt(m_sweep.plan().axes[axis].name());
}

}  // namespace millrace
