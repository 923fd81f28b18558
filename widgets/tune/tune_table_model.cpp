// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tune/tune_table_model.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <QFont>

#include "core/base/text/text.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/models/live/run_overlay.h"
#include "widgets/models/search/live_tune.h"
#include "widgets/models/search/tune_order.h"

namespace millrace {

namespace {

bool isText(int column) {
  return column == TuneTableModel::Settings || column == TuneTableModel::State ||
         column == TuneTableModel::Front;
}

/// The rank of a setting: the best, then measured, waiting and failed ones.
int rankOf(const LiveTune& tune, std::size_t trial) {
  if (tune.best() == trial) return 0;
  if (tune.trials()[trial].failed()) return 3;
  return tune.trials()[trial].rate ? 1 : 2;
}

}  // namespace

TuneTableModel::TuneTableModel(const LiveTune& tune, QObject* parent)
    : QAbstractTableModel(parent), m_tune(tune) {}

std::vector<std::size_t> TuneTableModel::wantedOrder() const {
  std::vector<std::size_t> order(m_tune.trials().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [this](std::size_t a, std::size_t b) {
    const int rankA = rankOf(m_tune, a);
    const int rankB = rankOf(m_tune, b);
    if (rankA != rankB) return rankA < rankB;
    const double gainA = m_tune.trials()[a].gain.value_or(1);
    const double gainB = m_tune.trials()[b].gain.value_or(1);
    return gainA != gainB ? gainA > gainB : a < b;
  });
  return order;
}

void TuneTableModel::refresh() {
  std::vector<std::size_t> order = wantedOrder();
  if (order.size() < m_order.size()) {
    beginResetModel();
    m_order = std::move(order);
    endResetModel();
    return;
  }
  if (order.size() > m_order.size()) {
    // New settings are appended first and then moved to their places.
    beginInsertRows({}, static_cast<int>(m_order.size()), static_cast<int>(order.size()) - 1);
    while (m_order.size() < order.size()) m_order.push_back(m_order.size());
    endInsertRows();
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
  if (!m_order.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

int TuneTableModel::rowOf(std::size_t trial) const {
  const auto found = std::ranges::find(m_order, trial);
  return found == m_order.end() ? -1 : static_cast<int>(found - m_order.begin());
}

int TuneTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int TuneTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QString TuneTableModel::text(std::size_t trial, Column column) const {
  const TunedTrial& one = m_tune.trials()[trial];
  const bool failed = one.failed();
  switch (column) {
    case Settings: return m_tune.settingsOf(trial);
    case Goal: return one.goal && !failed ? shownGoalValue(m_tune.goal(), *one.goal) : QString();
    case Rate:
      return one.rate && !failed ? shownRate(m_tune.rateOf(trial).value_or(*one.rate)) : QString();
    case OwnRate: return one.rate && !failed ? shownRate(*one.rate) : QString();
    case Gain:
      if (trial == 0) return "baseline";
      return failed || !m_tune.shownGain(trial) ? QString() : shownChange(*m_tune.shownGain(trial));
    case Memory: return one.bytes ? toQt(humanBytes(*one.bytes)).replace(' ', kNoBreak) : QString();
    case Cores: return one.cores ? QString::number(*one.cores, 'f', 1) : QString();
    case Front: return std::ranges::count(m_tune.front(), trial) > 0 ? "yes" : QString();
    case State:
      return m_tune.stateText(trial) +
             (one.reason.isEmpty() ? QString() : ": " + sentence(fromQt(one.reason)));
    default: return one.run;
  }
}

QString TuneTableModel::toolTip(std::size_t trial, Column column) const {
  if (column == Settings) return text(trial, column) + '\n' + m_tune.trials()[trial].settings();
  return text(trial, column);
}

QVariant TuneTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const std::size_t trial = trialAt(index.row());
  const auto column = static_cast<Column>(index.column());
  switch (role) {
    case Qt::DisplayRole: return text(trial, column);
    case Qt::ToolTipRole: return toolTip(trial, column);
    case Qt::TextAlignmentRole:
      return static_cast<int>(Qt::AlignVCenter | (isText(column) ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::FontRole:
      if (m_tune.best() == trial && (column == Settings || column == Goal || column == Gain))
        return uiFont(13, true);
      return {};
    case Qt::ForegroundRole:
      if (column == State && m_tune.trials()[trial].failed()) return theme()[Tone::Error];
      return {};
    default: return {};
  }
}

QVariant TuneTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>(Qt::AlignVCenter | Qt::TextWordWrap |
                            (isText(section) ? Qt::AlignLeft : Qt::AlignRight));
  struct Head {
    const char* title;
    const char* help;
  };
  static constexpr Head kHeads[kColumns] = {
      {"What differs", "Differences from the unmodified pipeline"},
      {nullptr, "The goal of the tuning"},
      {"Samples/s, drift-corrected",
       "Rate of the unmodified pipeline times the gain in the same blocks, which removes drift of "
       "the machine between blocks"},
      {"Samples/s in its run", "Mean over its repeats, as the page of its run shows it"},
      {"Gain",
       "Improvement of the goal over the unmodified pipeline: +20 % is better by a fifth. An "
       "estimate; whether the best is proven better is stated next to the chart"},
      {"Memory", "Peak memory"},
      {"Cores", "Number of busy cores"},
      {"On front",
       "Settings that no other one is shown to match with as little memory and as few cores"},
      {"State", "How often it was measured, or why it was not"},
      {"Run", "The run that keeps it"}};
  const Head& head = kHeads[section];
  if (role == Qt::ToolTipRole) return head.help;
  if (role != Qt::DisplayRole) return {};
  return section == Goal ? goalFigure(m_tune.goal()) : QString(head.title);
}

}  // namespace millrace
