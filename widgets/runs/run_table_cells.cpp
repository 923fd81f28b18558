// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The cells' text of RunTableModel.
#include <algorithm>
#include <cmath>

#include "core/base/text/text.h"
#include "core/metrics/metric_text.h"
#include "core/store/run_origin.h"
#include "core/store/stored_values.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/models/pipeline_title.h"
#include "widgets/models/run_state.h"
#include "widgets/runs/run_table_model.h"
#include "widgets/runs/verdict_words.h"

namespace millrace {

namespace {

QString shownRate(double value) { return shownNumber(roundedValue(value)); }

QStringList tagsOf(const RunSummary& run) {
  QStringList tags;
  for (const std::string& tag : run.tags) tags << toQt(singleLine(tag));
  return tags;
}

bool hasNoFigures(const RunSummary& run) {
  return run.state != RunState::Running && !run.samplesPerSecond;
}

}  // namespace

bool RunTableModel::isOfTraining(const RunSummary& run) const {
  const std::size_t origin = m_listing.columns.size();
  return origin < run.cells.size() && run.cells[origin] == SqlValue(std::string(kTrainingOrigin));
}

bool RunTableModel::isBaseline(const RunSummary& run) const {
  return m_judgedAgainst == run.number;
}

QString RunTableModel::changeOf(const RunSummary& run) const {
  if (!m_listing.baseline || isBaseline(run)) return {};
  const auto& before = m_listing.baseline->samplesPerSecond;
  if (!before || !run.samplesPerSecond) return {};
  const std::optional<double> ratio = shownRatio(*before, *run.samplesPerSecond);
  return ratio ? shownChange(*ratio) : QString();
}

/// Why there is no verdict, in the few words that a cell holds.
QString RunTableModel::tooFewText(const RunSummary& run, const Verdict& verdict) const {
  if (run.state == RunState::Running) return "still running";
  if (m_listing.baseline->state == RunState::Running) return "baseline still running";
  return shownVerdict(verdict);
}

/// Whether the row is the last one of the rows on top, or of its pipeline if they are grouped.
bool RunTableModel::endsGroup(int row) const {
  const auto top = static_cast<int>(m_listing.top.size());
  if (row + 1 == top) return true;
  const RunSummary* run = runAt(row);
  const RunSummary* next = runAt(row + 1);
  return m_request.grouped && row >= top && run != nullptr && next != nullptr &&
         run->pipelineName != next->pipelineName;
}

QString RunTableModel::verdictText(const RunSummary& run) const {
  if (isBaseline(run)) return "baseline";
  if (hasNoFigures(run)) return {};
  if (!m_judgedAgainst) return {};
  const Verdict* verdict = verdictOf(run.number);
  if (verdict == nullptr) {
    wantVerdict(run.number);
    return {};
  }
  return verdict->kind == VerdictKind::TooFew ? tooFewText(run, *verdict) : shownVerdict(*verdict);
}

QVariant RunTableModel::textOf(const RunSummary& run, const RunColumn& column,
                               std::size_t cell) const {
  switch (column.kind) {
    case RunColumn::Kind::Number: return QString::number(raw(run.number));
    case RunColumn::Kind::Name: return toQt(singleLine(run.name));
    case RunColumn::Kind::Tags: return tagsOf(run).join(", ");
    case RunColumn::Kind::State: return shownEnd(run);
    case RunColumn::Kind::Rate:
      return run.samplesPerSecond ? shownRate(*run.samplesPerSecond) : QString();
    case RunColumn::Kind::Change: return changeOf(run);
    case RunColumn::Kind::Verdict: return verdictText(run);
    default: break;
  }
  if (column.id == "pipeline") return shownPipeline(run.pipelineName);
  return cell < run.cells.size() ? shownCell(column.field, run.cells[cell]) : QString();
}

QVariant RunTableModel::detailOf(const RunSummary& run, const RunColumn& column) const {
  if (column.kind == RunColumn::Kind::Rate) {
    const bool goesOn = run.state == RunState::Running;
    if (isOfTraining(run)) return goesOn ? QString("training, running") : QString("training");
    if (goesOn) return QString("running");
    if (!run.ci95Low || !run.ci95High) return QString();
    return shownRate(std::max(0.0, *run.ci95Low)) + " to " + shownRate(*run.ci95High);
  }
  const Verdict* verdict = verdictOf(run.number);
  if (column.kind != RunColumn::Kind::Verdict || verdict == nullptr || !m_judgedAgainst) return {};
  const QString words = sentence(describe(*verdict, "run " + std::to_string(raw(*m_judgedAgainst)),
                                          "run " + std::to_string(raw(run.number))));
  const bool goesOn = run.state == RunState::Running;
  return goesOn ? QString("Run %1 is still running. ").arg(raw(run.number)) + words : words;
}

QString RunTableModel::toolTipOf(const RunSummary& run, const RunColumn& column,
                                 std::size_t cell) const {
  QString detail = detailOf(run, column).toString();
  if (column.kind == RunColumn::Kind::Rate && isOfTraining(run))
    return QString(
               "Run %1 comes from a training program. Its rate is that of the program that took "
               "the batches, not that of the loader alone.")
        .arg(raw(run.number));
  if (column.kind == RunColumn::Kind::Verdict && !detail.isEmpty()) return detail;
  if (column.kind == RunColumn::Kind::Name && !run.name.empty())
    return textOf(run, column, cell).toString();
  if (run.state == RunState::Failed || run.state == RunState::Interrupted)
    return sentence("run " + std::to_string(raw(run.number)) + ' ' + fromQt(shownEnd(run)));
  return textOf(run, column, cell).toString();
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.column() >= columnCount()) return {};
  const auto cell = static_cast<std::size_t>(index.column());
  const RunColumn& column = m_listing.columns[cell];
  if (role == KindRole) return static_cast<int>(column.kind);
  if (role == IsNumberRole) return column.isNumber;
  if (role == IsLastOnTopRole) return endsGroup(index.row());
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((column.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  const RunSummary* run = runAt(index.row());
  if (run == nullptr) {
    const std::int64_t at = index.row() - static_cast<std::int64_t>(m_listing.top.size());
    if (role == Qt::DisplayRole && at >= 0) wantPage(at / kPage);
    return {};
  }
  switch (role) {
    case Qt::DisplayRole: return textOf(*run, column, cell);
    case Qt::EditRole:
      if (column.kind == RunColumn::Kind::Notes && cell < run->cells.size()) {
        const auto* notes = std::get_if<std::string>(&run->cells[cell]);
        return notes == nullptr ? QString() : toQt(validUtf8(*notes));
      }
      return textOf(*run, column, cell);
    case Qt::ToolTipRole: return toolTipOf(*run, column, cell);
    case NumberRole: return QVariant::fromValue<qint64>(raw(run->number));
    case IsBaselineRole: return isBaseline(*run);
    case IsPinnedRole:
      return std::ranges::find(m_request.pins, run->number) != m_request.pins.end();
    case MarkRole: return markOf(run->number);
    case DetailRole: return detailOf(*run, column);
    case TagsRole: return tagsOf(*run);
    case StateRole: return static_cast<int>(run->state);
    case VerdictRole: {
      const Verdict* verdict = verdictOf(run->number);
      if (verdict == nullptr || isBaseline(*run) || hasNoFigures(*run)) return {};
      return static_cast<int>(verdict->kind);
    }
    default: return {};
  }
}

}  // namespace millrace
