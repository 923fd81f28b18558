// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window/palette_entries.h"

#include <QAction>
#include <QFileInfo>
#include <QMainWindow>

#include "app/workbench/dialogs/shortcut_book.h"
#include "widgets/canvas/editor/edit_session.h"
#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/models/library_model.h"
#include "widgets/models/node_display.h"
#include "widgets/models/pipeline_title.h"

namespace millrace {

std::vector<SearchEntry> actionEntries(const QMainWindow& window) {
  std::vector<SearchEntry> entries;
  for (const QAction* action : window.findChildren<QAction*>()) {
    if (!action->objectName().startsWith("action_") || !action->isEnabled()) continue;
    const QString text = textAlone(*action);
    entries.push_back({"action:" + action->objectName(),
                       text,
                       action->shortcut().toString(QKeySequence::NativeText),
                       {},
                       action->icon().isNull() ? icon("chevright", Tone::Hint) : action->icon()});
  }
  return entries;
}

std::vector<SearchEntry> documentEntries(const EditSession& session) {
  std::vector<SearchEntry> nodes;
  std::vector<SearchEntry> params;
  const Catalog& catalog = session.document.catalog();
  for (const GraphNode& node : session.document.graph().nodes) {
    const NodeDisplay display = displayOf(node, catalog, session.check.result());
    const NodeSpec* spec = catalog.find(node.kind);
    const QIcon mark = spec == nullptr ? icon("unknown") : markIcon(display.icon, display.category);
    const QString id = toQt(node.id);
    nodes.push_back({"node:" + id, display.title, "node", "node", mark, {}, {id}});
    if (spec == nullptr) continue;
    for (const ParamSpec& param : spec->params) {
      const QString text = display.title + " › " + toQt(param.label);
      params.push_back({"param:" + id + '/' + toQt(param.name),
                        text,
                        shownValue(param, valueOf(node, param)),
                        {},
                        mark,
                        {},
                        {toQt(param.label), toQt(param.name)}});
    }
  }
  for (const NodeSpec& spec : catalog.all())
    nodes.push_back({"add:" + toQt(spec.kind),
                     "Add " + toQt(spec.label),
                     toQt(nameOf(spec.category)),
                     searchTextOf(spec),
                     markIcon(iconOf(spec), spec.category),
                     {},
                     {toQt(spec.label), toQt(spec.kind)}});
  // The name of a node finds all of its settings, so they come last.
  std::ranges::move(params, std::back_inserter(nodes));
  return nodes;
}

std::vector<SearchEntry> fileEntries(const QStringList& recent) {
  std::vector<SearchEntry> entries;
  for (const QString& file : recent) {
    const QFileInfo info(file);
    entries.push_back({"file:" + file,
                       "Open " + info.fileName(),
                       info.path(),
                       file,
                       icon("open"),
                       {},
                       {info.fileName()}});
  }
  return entries;
}

std::vector<SearchEntry> runEntries(const std::vector<RunSummary>& runs) {
  std::vector<SearchEntry> entries;
  for (const RunSummary& run : runs) {
    const auto number = static_cast<std::int64_t>(run.number);
    const QString name = run.name.empty() ? shownPipeline(run.pipelineName) : toQt(run.name);
    QString detail =
        run.samplesPerSecond ? shownNumber(std::round(*run.samplesPerSecond)) + "/s" : QString();
    const QString text = QString("Run %1 of %2").arg(number).arg(name);
    QString tags;
    for (const std::string& tag : run.tags) tags += ' ' + toQt(tag);
    entries.push_back(
        {QString("run:%1").arg(number), text, detail, tags, icon("runs"), {}, {name}});
  }
  return entries;
}

}  // namespace millrace
