// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/run_details.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <QHeaderView>
#include <QStyledItemDelegate>

#include "core/base/text/text.h"
#include "core/graph/json/graph_json.h"
#include "core/jobs/run/recorded_run.h"
#include "core/measure/store_figures.h"
#include "core/metrics/metric_spec.h"
#include "core/store/run_origin.h"
#include "core/store/stored_values.h"
#include "widgets/common/breakable.h"
#include "widgets/common/format.h"
#include "widgets/common/row_copy.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/models/pipeline_title.h"
#include "widgets/models/run_state.h"
#include "widgets/runs/run_column.h"

namespace millrace {

namespace {

QString plainText(std::string_view text) { return toQt(singleLine(text)); }

/// "cores_usable" becomes "Cores usable".
QString titleOfFact(const std::string& key) {
  QString title = plainText(key).replace('_', ' ');
  if (!title.isEmpty()) title[0] = title[0].toUpper();
  return title;
}

DetailSection runSection(const RunDetails& details) {
  const RunSummary& run = details.summary;
  DetailSection section{"Run", {{"State", shownEnd(run)}}};
  const auto add = [&](const char* name, const QString& value) {
    if (!value.isEmpty()) section.lines.push_back({name, value});
  };
  add("Pipeline", shownPipeline(run.pipelineName));
  add("Name", plainText(run.name));
  add("Tags", plainText(join(run.tags, ", ")));
  add("Notes", plainText(details.notes));
  add("Started", shownTime(run.started, wallNow()));
  if (run.finished)
    add("Duration",
        shownFigure(std::chrono::duration<double>(*run.finished - run.started).count(), "seconds") +
            (details.inBlocks && run.repeats > 1 ? ", with other runs between its repeats" : ""));
  add("Repeats", shownNumber(run.repeats));
  if (run.experiment != "default") add("Experiment", plainText(run.experiment));
  if (!details.unreadable.empty()) add("Cannot be read", plainText(join(details.unreadable, ", ")));
  return section;
}

DetailSection verdictSection(const KeptRun& run, const std::optional<JudgedAgainst>& judged) {
  DetailSection section{"Verdict", {}};
  if (run.details.summary.baseline)
    section.lines.push_back({"Against the baseline", "this run is the baseline"});
  else if (judged)
    section.lines.push_back(
        {QString("Against run %1").arg(raw(judged->baseline)),
         sentence(describe(judged->verdict, "run " + std::to_string(raw(judged->baseline)),
                           "run " + std::to_string(raw(run.details.summary.number))))});
  return section;
}

DetailSection figureSection(const RunDetails& details) {
  DetailSection section{"Figures", {}};
  const std::vector<FigureRecord> figures =
      details.figures.empty() ? figureRecords(recordedResult(details).figures) : details.figures;
  for (const MetricSpec& spec : metricSpecs())
    if (const auto value = figureOf(figures, spec.id))
      section.lines.push_back({toQt(spec.name), shownFigure(*value, spec.unit)});
  return section;
}

/// Where the time went: by node of a pipeline, or by step of a user's own loader.
DetailSection timeSection(const RunDetails& details) {
  const bool loader = factOf(details, kOriginFact) == kLoaderOrigin;
  DetailSection section{loader ? "Time by step" : "Time by node", {}};
  const SpanFigures figures = recordedResult(details).figures;
  double all = 0;
  for (const NodeFigures& node : figures.nodes) all += node.busySeconds.value_or(0);
  for (const NodeFigures& node : figures.nodes)
    if (node.busySeconds && all > 0)
      section.lines.push_back(
          {plainText(node.id), QString("%1 %, mean %2")
                                   .arg(std::lround(100 * *node.busySeconds / all))
                                   .arg(shownFigure(node.meanMs.value_or(0) / 1e3, "seconds"))});
  return section;
}

/// The value as its parameter shows it, if the catalog knows that.
DetailLine settingLine(const SettingRecord& setting, const Graph* graph, const Catalog& catalog) {
  const Value value = std::visit([](const auto& kept) { return Value{kept}; }, setting.value);
  DetailLine line{shownSetting(setting.node, setting.param, catalog),
                  toQt(singleLine(textOf(value)))};
  const GraphNode* node = graph == nullptr ? nullptr : graph->node(setting.node);
  const NodeSpec* spec = node == nullptr ? nullptr : catalog.find(node->kind);
  const ParamSpec* param = spec == nullptr ? nullptr : spec->param(setting.param);
  if (param == nullptr) return line;
  line.name = toQt(spec->label) + " › " + toQt(param->label);
  const auto parsed = parseValue(param->type, textOf(value));
  if (!parsed) return line;
  line.value = shownValue(*param, *parsed);
  line.telling = *parsed != param->defaultValue;
  return line;
}

DetailSection settingSection(const KeptRun& run, const Catalog& catalog) {
  DetailSection section{"Settings", {}};
  const ReadGraph read = parseGraph(run.pipelineJson, catalog);
  for (const SettingRecord& setting : run.details.settings)
    section.lines.push_back(settingLine(setting, read.graph ? &*read.graph : nullptr, catalog));
  std::stable_partition(section.lines.begin(), section.lines.end(),
                        [](const DetailLine& line) { return line.telling; });
  return section;
}

DetailSection factSection(const RunDetails& details) {
  DetailSection section{"Measured on", {}};
  for (const auto& [key, value] : details.environment)
    section.lines.push_back({titleOfFact(key), plainText(value)});
  section.lines.push_back({"Engine", plainText(details.engineVersion)});
  return section;
}

/// Rows as high as their text needs: a tree alone does not ask how wide its columns are.
class WrappedLines final : public QStyledItemDelegate {
 public:
  explicit WrappedLines(QTreeView& view) : QStyledItemDelegate(&view), m_view(view) {}

  QString displayText(const QVariant& value, const QLocale&) const override {
    return breakable(value.toString());
  }

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem within = option;
    const bool isSection = !index.parent().isValid();  // spans both columns
    const int indentation = index.column() == 0 ? kLevels * m_view.indentation() : 0;
    if (!isSection)
      within.rect = QRect(0, 0, m_view.columnWidth(index.column()) - indentation, QWIDGETSIZE_MAX);
    return QStyledItemDelegate::sizeHint(within, index);
  }

  static constexpr int kLevels = 2;  ///< of a line: below its section, which has a mark

 private:
  QTreeView& m_view;
};

}  // namespace

std::vector<DetailSection> detailsOf(const KeptRun& run, const std::optional<JudgedAgainst>& judged,
                                     const Catalog& catalog) {
  std::vector<DetailSection> sections = {runSection(run.details),      verdictSection(run, judged),
                                         figureSection(run.details),   timeSection(run.details),
                                         settingSection(run, catalog), factSection(run.details)};
  std::erase_if(sections, [](const DetailSection& section) { return section.lines.empty(); });
  return sections;
}

RunDetailsView::RunDetailsView(QWidget* parent) : QTreeWidget(parent) {
  setColumnCount(2);
  setHeaderHidden(true);
  setRootIsDecorated(true);
  setIndentation(12);
  setUniformRowHeights(false);
  setWordWrap(true);
  setItemDelegate(new WrappedLines(*this));
  setFrameShape(NoFrame);
  setSelectionMode(ExtendedSelection);
  new RowCopy(*this);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  header()->setStretchLastSection(true);
  header()->setMinimumSectionSize(1);
  setAccessibleName("About the run");
}

void RunDetailsView::showSections(const std::vector<DetailSection>& sections) {
  clear();
  m_names = 0;
  for (const DetailSection& section : sections) {
    auto* head = new QTreeWidgetItem(this, {section.title});
    head->setFirstColumnSpanned(true);
    head->setFont(0, uiFont(13, true));
    for (const DetailLine& line : section.lines) {
      m_names = std::max(m_names, fontMetrics().horizontalAdvance(line.name));
      auto* item = new QTreeWidgetItem(head, {line.name, line.value});
      item->setToolTip(0, line.name.toHtmlEscaped());
      item->setToolTip(1, line.value.toHtmlEscaped());
      if (line.telling) item->setFont(1, uiFont(13, true));
    }
    head->setExpanded(true);
  }
  shareWidth();
}

/// Names are whole if they leave enough for the values; otherwise both wrap.
void RunDetailsView::shareWidth() {
  constexpr int kAround = 16;
  const int whole = m_names + kAround + WrappedLines::kLevels * indentation();
  header()->resizeSection(0, std::min(whole, viewport()->width() * 45 / 100));
  scheduleDelayedItemsLayout();
}

void RunDetailsView::resizeEvent(QResizeEvent* event) {
  QTreeWidget::resizeEvent(event);
  shareWidth();
}

}  // namespace millrace
