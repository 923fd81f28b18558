// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/differences_model.h"

#include <algorithm>
#include <cmath>

#include "core/base/text/csv_cell.h"
#include "core/base/text/text.h"
#include "core/compare/comparison_json.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/runs/run_column.h"
#include "widgets/runs/run_table_text.h"
#include "widgets/runs/verdict_words.h"

namespace millrace {

namespace {

/// A figure counts as different from here on: smaller differences occur between any two runs.
constexpr double kRunDifference = 0.01;
constexpr double kNodeDifference = 0.10;

bool isDifferent(const Comparison& comparison, const FigureRow& row) {
  if (row.spec->id == "samples_per_second") return true;
  const bool ofRun = row.spec->scope == MetricScope::Run;
  if (!ofRun && comparison.isNegligible(row)) return false;
  // Counts depend only on how long was measured.
  if (ofRun && row.spec->better == BetterWhen::Neither) return false;
  for (std::size_t run = 1; run < comparison.runs.size(); ++run) {
    const auto change = row.shownChange(run);
    if (change && std::abs(*change) >= (ofRun ? kRunDifference : kNodeDifference)) return true;
    const bool here = row.values[run].value.has_value();
    if (ofRun && here != row.values[0].value.has_value()) return true;
  }
  return false;
}

QString intervalText(const FigureValue& value, std::string_view unit) {
  if (!value.interval95) return {};
  return "95 % interval " + shownFigure(value.interval95->low, unit) + " to " +
         shownFigure(value.interval95->high, unit);
}

}  // namespace

DifferencesModel::DifferencesModel(CompareSet& set, QObject* parent)
    : QAbstractTableModel(parent), m_set(set) {
  connect(&set, &CompareSet::changed, this, &DifferencesModel::rebuild);
  rebuild();
}

void DifferencesModel::setOnlyDifferences(bool only) {
  m_onlyDifferences = only;
  rebuild();
}

QString DifferencesModel::settingsText() const {
  const Comparison* comparison = m_set.comparison();
  if (comparison == nullptr) return {};
  return QString("%1 of %2 settings differ")
      .arg(comparison->settingsThatDiffer())
      .arg(comparison->settings.size());
}

void DifferencesModel::rebuild() {
  beginResetModel();
  m_rows.clear();
  if (const Comparison* comparison = m_set.comparison()) {
    addVerdicts(*comparison);
    addSettings(*comparison);
    addFigures(*comparison);
    addConditions(*comparison);
    addRemarks(*comparison);
  }
  endResetModel();
}

void DifferencesModel::addSection(const QString& name) {
  m_rows.push_back({Row::Kind::Section, name, {}, {}});
}

void DifferencesModel::addVerdicts(const Comparison& comparison) {
  Row row{Row::Kind::Cells, "Verdict", {}, {}};
  const std::string reference = "run " + comparison.runs.front().number();
  for (const ComparedRun& run : comparison.runs) {
    Cell cell;
    if (run.verdict) {
      cell.text = shownVerdict(*run.verdict);
      cell.verdict = run.verdict->kind;
      cell.tip = sentence(describe(*run.verdict, reference, "run " + run.number()));
    } else {
      cell.text = m_set.isBaseline(run.summary.number) ? "baseline" : "reference";
    }
    row.cells.push_back(std::move(cell));
  }
  m_rows.push_back(std::move(row));
}

void DifferencesModel::addSettings(const Comparison& comparison) {
  addSection("Settings");
  const std::size_t before = m_rows.size();
  for (const SettingRow& setting : comparison.settings) {
    if (m_onlyDifferences && !setting.differs) continue;
    Row row{Row::Kind::Cells,
            shownSetting(setting.node, setting.param, m_set.catalog()),
            toQt(singleLine(setting.name())),
            {}};
    for (std::size_t run = 0; run < setting.values.size(); ++run) {
      const QString text = toQt(singleLine(setting.values[run]));
      row.cells.push_back({text == "-" ? "–" : text, {}, text, setting.changed[run], {}});
    }
    m_rows.push_back(std::move(row));
  }
  if (m_rows.size() == before)
    m_rows.push_back({Row::Kind::Sentence, "The settings are the same.", {}, {}});
}

void DifferencesModel::addFigures(const Comparison& comparison) {
  addSection("Figures");
  for (const FigureRow& figure : comparison.figures) {
    const bool any = std::ranges::any_of(
        figure.values, [](const FigureValue& value) { return value.value.has_value(); });
    if (!any || (m_onlyDifferences && !isDifferent(comparison, figure))) continue;
    const QString of =
        figure.of.empty() ? QString() : shownSetting(figure.of, {}, m_set.catalog()) + " › ";
    Row row{Row::Kind::Cells,
            of + toQt(figure.spec->name),
            toQt(figure.spec->meaning) + ' ' + toQt(figure.spec->reading),
            {}};
    for (std::size_t run = 0; run < figure.values.size(); ++run) {
      Cell cell;
      const FigureValue& value = figure.values[run];
      cell.text = value.value ? shownFigure(*value.value, figure.spec->unit) : QString("–");
      cell.tip = intervalText(value, figure.spec->unit);
      const auto change = run == 0 ? std::nullopt : figure.shownChange(run);
      if (change) cell.detail = shownChange(1 + *change);
      cell.changed = change && std::abs(*change) >= kRunDifference;
      row.cells.push_back(std::move(cell));
    }
    m_rows.push_back(std::move(row));
  }
}

void DifferencesModel::addConditions(const Comparison& comparison) {
  addSection("Conditions");
  const auto differing = comparison.conditionsThatDiffer();
  const auto& reference = comparison.runs.front().conditions;
  if (m_onlyDifferences && differing.empty()) {
    m_rows.push_back({Row::Kind::Sentence, "Same machine, engine, data and page cache.", {}, {}});
    return;
  }
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const bool other = std::ranges::find(differing, i) != differing.end();
    if (m_onlyDifferences && !other) continue;
    QString name = toQt(reference[i].name);
    if (!name.isEmpty()) name[0] = name[0].toUpper();
    Row row{Row::Kind::Cells,
            name,
            reference[i].weight == Weight::Decides
                ? "Runs that differ in this are not comparable: there is no verdict."
                : "May explain different figures.",
            {}};
    for (const ComparedRun& run : comparison.runs) {
      const QString text = toQt(singleLine(run.conditions[i].value));
      row.cells.push_back({text.isEmpty() ? "not known" : text,
                           {},
                           text,
                           differs(reference[i], run.conditions[i]),
                           {}});
    }
    m_rows.push_back(std::move(row));
  }
}

void DifferencesModel::addRemarks(const Comparison& comparison) {
  for (const Remark& remark : comparison.remarks())
    m_rows.push_back(
        {Row::Kind::Sentence,
         QString("Run %1: %2").arg(toQt(joinWords(remark.runs)), sentence(singleLine(remark.text))),
         {},
         {}});
}

int DifferencesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DifferencesModel::columnCount(const QModelIndex& parent) const {
  if (parent.isValid() || m_set.comparison() == nullptr) return 0;
  return 1 + static_cast<int>(m_set.comparison()->runs.size());
}

QVariant DifferencesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Row& row = m_rows[static_cast<std::size_t>(index.row())];
  if (role == SectionRole) return row.kind == Row::Kind::Section;
  if (role == SentenceRole) return row.kind == Row::Kind::Sentence;
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight) |
                            Qt::AlignVCenter);
  if (index.column() == 0) {
    if (role == Qt::DisplayRole) return row.name;
    if (role == Qt::ToolTipRole) return row.tip;
    return {};
  }
  if (static_cast<std::size_t>(index.column()) > row.cells.size()) return {};
  const Cell& cell = row.cells[static_cast<std::size_t>(index.column()) - 1];
  switch (role) {
    case Qt::DisplayRole: return cell.text;
    case Qt::ToolTipRole: return cell.tip;
    case DetailRole: return cell.detail;
    case ChangedRole: return cell.changed;
    case VerdictRole: return cell.verdict ? QVariant(static_cast<int>(*cell.verdict)) : QVariant();
    default: return {};
  }
}

QVariant DifferencesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  const Comparison* comparison = m_set.comparison();
  if (orientation == Qt::Vertical || comparison == nullptr || section < 0 ||
      section > static_cast<int>(comparison->runs.size()))
    return {};
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (section == 0) return role == Qt::DisplayRole ? QVariant("Setting") : QVariant();
  const ComparedRun& run = comparison->runs[static_cast<std::size_t>(section) - 1];
  if (role == Qt::DisplayRole) return toQt(run.number());
  if (role == Qt::ToolTipRole) return toQt(singleLine(run.summary.name));
  if (role == SeriesRole) return m_set.seriesOf(run.summary.number);
  return {};
}

std::string DifferencesModel::csv() const {
  std::string text;
  QStringList heads;
  for (int c = 0; c < columnCount(); ++c)
    heads << toQt(csvCell(fromQt(headerData(c, Qt::Horizontal, Qt::DisplayRole).toString())));
  if (!heads.isEmpty()) text = fromQt(heads.join(',')) + "\n";
  for (const Row& row : m_rows) {
    if (row.kind != Row::Kind::Cells) continue;
    std::string line = csvCell(fromQt(row.name));
    for (const Cell& cell : row.cells) line += "," + csvCell(fromQt(cell.text));
    text += line + "\n";
  }
  return text;
}

std::string DifferencesModel::json() const {
  const Comparison* comparison = m_set.comparison();
  return comparison == nullptr ? std::string() : comparisonJson(*comparison, !m_onlyDifferences);
}

}  // namespace millrace
