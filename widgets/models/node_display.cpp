// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/node_display.h"

#include <algorithm>

#include <QStringList>

#include "core/graph/rules/node_check.h"
#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr std::size_t kSettingsShown = 2;

bool isSize(const ParamSpec& param) {
  return param.type == ParamType::Integer && param.unit == "pixels";
}

/// One setting for the second line; empty if it says nothing useful.
QString shownSetting(const ParamSpec& param, const Value& value) {
  const QString text = shortValue(param, value);
  if (param.type == ParamType::Choice) return text == "none" ? QString() : text;
  const bool number = param.type == ParamType::Integer || param.type == ParamType::Real ||
                      param.type == ParamType::RealList;
  // Without its name, "0 samples" of a limit that is off reads as if nothing was found.
  const bool isOff = number && param.defaultValue == Value{std::int64_t{0}};
  if (isOff && value == param.defaultValue) return {};
  if (!number || (!param.unit.empty() && !isOff) || text.isEmpty() || text == "not set")
    return text == "not set" ? QString() : text;
  return toQt(param.label).toLower() + kNoBreak + text;
}

/// Two sizes side by side are shown as one setting: "224 × 224".
QString shownPair(const ParamSpec& param, const Value& first, const Value& second) {
  ParamSpec bare = param;
  bare.unit.clear();
  return shownValue(bare, first) + " × " + shownValue(bare, second);
}

struct Setting {
  QString text;
  bool changed = false;
};

/// Whether a source's data is not set; then its other settings would read as if it was found.
bool lacksData(const GraphNode& node, const NodeSpec& spec) {
  if (spec.role != NodeRole::Source) return false;
  const auto isPath = [](const ParamSpec& param) {
    return param.type == ParamType::Path || param.type == ParamType::PathList;
  };
  const auto data = std::ranges::find_if(spec.params, isPath);
  return data != spec.params.end() && shownSetting(*data, valueOf(node, *data)).isEmpty();
}

std::vector<Setting> settingsOf(const GraphNode& node, const NodeSpec& spec) {
  std::vector<Setting> settings;
  for (std::size_t i = 0; i < spec.params.size(); ++i) {
    const ParamSpec& param = spec.params[i];
    if (!isUsed(node, spec, param)) continue;
    const Value value = valueOf(node, param);
    bool changed = !(value == param.defaultValue);
    QString text;
    if (isSize(param) && i + 1 < spec.params.size() && isSize(spec.params[i + 1]) &&
        spec.params[i + 1].maximum == param.maximum) {
      const ParamSpec& other = spec.params[++i];
      const Value second = valueOf(node, other);
      changed = changed || !(second == other.defaultValue);
      if (changed || value != Value{std::int64_t{0}}) text = shownPair(param, value, second);
    } else {
      text = shownSetting(param, value);
    }
    if (!text.isEmpty()) settings.push_back({text, changed});
  }
  return settings;
}

}  // namespace

QString titleOf(const GraphNode& node, const NodeSpec* spec) {
  QString id = toQt(node.id);
  if (spec == nullptr) return id;
  if (node.id == spec->kind) return toQt(spec->label);
  const QString stem = toQt(spec->kind) + '_';
  bool number = false;
  const int n = id.startsWith(stem) ? id.mid(stem.size()).toInt(&number) : 0;
  return number ? QString("%1 %2").arg(toQt(spec->label)).arg(n) : id;
}

QString settingsLine(const GraphNode& node, const NodeSpec& spec) {
  const std::vector<Setting> settings = settingsOf(node, spec);
  std::size_t unchanged = kSettingsShown;
  for (const Setting& setting : settings)
    if (setting.changed && unchanged > 0) --unchanged;
  std::size_t room = kSettingsShown;
  QStringList shown;
  for (const Setting& setting : settings) {
    if (room == 0) break;
    if (!setting.changed) {
      if (unchanged == 0) continue;
      --unchanged;
    }
    --room;
    shown << setting.text;
  }
  if (lacksData(node, spec)) shown = QStringList{"no data yet"};
  const QString id = titleOf(node, &spec);
  if (id == toQt(node.id)) shown.prepend(toQt(spec.label));
  return shown.join(kDot);
}

namespace {

void addProblems(NodeDisplay& display, const CheckResult& check) {
  for (const Problem& problem : check.problems.all()) {
    if (problem.node != display.id) continue;
    ++(problem.severity == Severity::Error ? display.errors : display.warnings);
    if (display.problem.isEmpty()) display.problem = sentence(problem.message).remove('`');
  }
}

/// "one of 3", "2 of 4, 80 %", "no nodes yet".
QString choiceText(const GraphNode& node, const NodeSpec& spec) {
  Problems ignored;
  const ChoiceSettings choice = spec.choice(completeValues(node, 0, spec, ignored));
  const auto nodes = static_cast<std::int64_t>(choice.nodes.size());
  if (nodes == 0) return "no nodes yet";
  const bool isAll = choice.count == 0 || choice.count >= nodes;
  QString text = QString("%1 of %2").arg(choice.count).arg(nodes);
  if (choice.count == 1) text = QString("one of %1").arg(nodes);
  if (isAll) text = nodes == 1 ? QString("its node") : QString("all %1").arg(nodes);
  return choice.probability < 1
             ? QString("%1, %2 %").arg(text, shownNumber(100 * choice.probability))
             : text;
}

void addStream(NodeDisplay& display, const CheckResult& check) {
  for (const NodeStream& stream : check.streams) {
    if (stream.id != display.id) continue;
    display.inLevel = stream.in.level;
    display.outLevel = stream.out.level;
    return;
  }
}

}  // namespace

NodeDisplay displayOf(const GraphNode& node, const Catalog& catalog, const CheckResult& check) {
  NodeDisplay display;
  const NodeSpec* spec = catalog.find(node.kind);
  display.id = node.id;
  display.title = titleOf(node, spec);
  display.known = spec != nullptr;
  display.bypassed = node.state == NodeState::Bypass;
  if (spec == nullptr) {
    display.icon = "unknown";
    display.settings = toQt(node.kind) + ", unknown kind";
  } else {
    display.icon = iconOf(*spec);
    display.category = spec->category;
    display.settings = settingsLine(node, *spec);
    display.hasInput = spec->role != NodeRole::Source && spec->role != NodeRole::Choice;
    display.hasOutput = spec->role != NodeRole::Consumer && spec->role != NodeRole::Choice;
    if (spec->role == NodeRole::Choice) display.settings = choiceText(node, *spec);
    // The levels of a kind's ports while no stream is known.
    const bool batches = spec->role == NodeRole::Prefetch || spec->role == NodeRole::Transfer ||
                         spec->role == NodeRole::BatchOp || spec->role == NodeRole::Consumer;
    display.inLevel = batches ? Level::Batch : Level::Sample;
    display.outLevel = batches || spec->role == NodeRole::Batch ? Level::Batch : Level::Sample;
    if (spec->role == NodeRole::Prefetch && !display.bypassed && !spec->params.empty())
      display.queue = shownValue(spec->params.front(), valueOf(node, spec->params.front()));
  }
  addStream(display, check);
  addProblems(display, check);
  return display;
}

QString describe(const NodeDisplay& display, const NodeSpec* spec) {
  QStringList parts{display.title};
  if (!display.settings.isEmpty()) parts << display.settings;
  if (spec != nullptr) parts << toQt(nameOf(spec->category));
  if (display.bypassed) parts << "bypassed";
  if (display.errors > 0) parts << shownCount(display.errors, "error");
  if (display.warnings > 0) parts << shownCount(display.warnings, "warning");
  return parts.join(", ");
}

}  // namespace millrace
