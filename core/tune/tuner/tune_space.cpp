// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuner/tune_space.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/tune/advice_edit.h"

namespace millrace {

namespace {

/// Largest number of samples read ahead that is tried, unless the pipeline has a larger one.
constexpr std::int64_t kFarAhead = 128;

/// Every number up to 8, then four for each doubling, so that relative steps stay similar.
std::vector<std::int64_t> ladder(const ParamSpec& param, std::int64_t from, std::int64_t to,
                                 std::int64_t current) {
  std::set<std::int64_t> steps = {current};
  for (std::int64_t step = 1; step <= to; step += std::max<std::int64_t>(1, step / 4))
    if (step >= from) steps.insert(step);
  std::erase_if(steps,
                [&](std::int64_t step) { return param.problemWith(Value{step}).has_value(); });
  return {steps.begin(), steps.end()};
}

/// Powers of two times `from`.
std::vector<std::int64_t> doubles(const ParamSpec& param, std::int64_t from, std::int64_t to,
                                  std::int64_t current) {
  std::set<std::int64_t> steps = {current};
  for (std::int64_t step = from; step <= to; step *= 2) steps.insert(step);
  std::erase_if(steps,
                [&](std::int64_t step) { return param.problemWith(Value{step}).has_value(); });
  return {steps.begin(), steps.end()};
}

TuneLevel levelOf(const CheckedNode& node, const std::string& param, const Value& value,
                  const Value& current, SampleChange changes) {
  TuneLevel level{textOf(value), std::nullopt};
  if (value == current) return level;
  Advice edit;
  edit.edit = Advice::Edit::Parameter;
  edit.node = node.id;
  edit.param = param;
  edit.from = textOf(current);
  edit.to = level.text;
  edit.changes = changes;
  level.edit = std::move(edit);
  return level;
}

/// Collects the axes of one pipeline.
class Space {
 public:
  Space(const Plan& plan, const TunePreferences& preferences)
      : m_plan(plan), m_preferences(preferences) {}

  std::vector<TuneAxis> take() {
    const std::vector<CheckedNode>& nodes = m_plan.pipeline.nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) addNode(nodes[i], i < m_plan.batchNode);
    addCache();
    return std::move(m_axes);
  }

 private:
  std::int64_t longestQueue(const std::string& prefetch) const {
    auto longest = static_cast<double>(kLongestQueue);
    const auto queue = std::ranges::find(m_plan.queues, prefetch, &PlanQueue::id);
    if (queue != m_plan.queues.end() && queue->batchBytes > 0)
      longest = std::min(longest, kMostQueueBytes / static_cast<double>(queue->batchBytes));
    return static_cast<std::int64_t>(longest);
  }

  void addNode(const CheckedNode& node, bool beforeBatch) {
    const auto cores = static_cast<std::int64_t>(std::max(1.0, std::ceil(m_preferences.cores)));
    switch (node.spec->role) {
      case NodeRole::Workers:
        // Threads that wait for storage may be many more than the cores.
        addNumbers(node, "count", [&](const ParamSpec& param, std::int64_t current) {
          return ladder(param, 1, std::max<std::int64_t>(8, 4 * cores), current);
        });
        if (beforeBatch) addChoices(node, "unit");
        if (beforeBatch) addChoices(node, "order");
        break;
      case NodeRole::Prefetch:
        addNumbers(node, "batches", [&](const ParamSpec& param, std::int64_t current) {
          return doubles(param, 1, longestQueue(node.id), current);
        });
        break;
      case NodeRole::Batch:
        addNumbers(node, "size", [](const ParamSpec& param, std::int64_t current) {
          return doubles(param, std::max<std::int64_t>(1, current / 4), 8 * current, current);
        });
        break;
      case NodeRole::Source:
        addNumbers(node, "read_ahead", [&](const ParamSpec& param, std::int64_t current) {
          if (!m_preferences.waits && current == 0) return std::vector<std::int64_t>{0};
          auto steps = doubles(param, 8, std::max(kFarAhead, current), current);
          if (steps.front() > 0) steps.insert(steps.begin(), 0);
          return steps;
        });
        break;
      default:
        if (node.spec->category == Category::Decode) addChoices(node, "scaling");
    }
  }

  template <class Steps>
  void addNumbers(const CheckedNode& node, const std::string& name, const Steps& steps) {
    const ParamSpec* param = node.spec->param(name);
    const auto at = node.values.find(name);
    if (param == nullptr || param->type != ParamType::Integer || at == node.values.end()) return;
    const std::int64_t current = std::get<std::int64_t>(at->second);
    std::vector<Value> values;
    for (const std::int64_t step : steps(*param, current)) values.emplace_back(step);
    add(node, name, values, at->second, true);
  }

  void addChoices(const CheckedNode& node, const std::string& name) {
    const ParamSpec* param = node.spec->param(name);
    const auto at = node.values.find(name);
    if (param == nullptr || param->type != ParamType::Choice || at == node.values.end()) return;
    add(node, name, {param->choices.begin(), param->choices.end()}, at->second, false);
  }

  void add(const CheckedNode& node, const std::string& name, const std::vector<Value>& values,
           const Value& current, bool ordered) {
    TuneAxis axis;
    axis.name = node.id + "." + name;
    axis.ordered = ordered;
    axis.changes = sampleChangeOf(*node.spec, name);
    if (values.size() < 2 || !m_preferences.allowed.allows(axis.changes)) return;
    for (const Value& value : values) {
      if (value == current) axis.start = axis.levels.size();
      axis.levels.push_back(levelOf(node, name, value, current, axis.changes));
    }
    m_axes.push_back(std::move(axis));
  }

  void addCache() {
    if (!m_preferences.cache) return;
    Advice edit;
    edit.edit = Advice::Edit::AddCache;
    edit.node = m_preferences.cache->node;
    // The smallest limit that a cache accepts.
    constexpr double kLeastBytes = 1 << 20;
    edit.to = fmt::format("{:.0f}", std::max(kLeastBytes, std::ceil(m_preferences.cache->bytes)));
    edit.costs = humanBytes(m_preferences.cache->bytes) + " of memory";
    TuneAxis axis{"cache", {{"none", std::nullopt}}, 0, false, SampleChange::Nothing};
    axis.levels.push_back({"after:" + edit.node, std::move(edit)});
    m_axes.push_back(std::move(axis));
  }

  const Plan& m_plan;
  const TunePreferences& m_preferences;
  std::vector<TuneAxis> m_axes;
};

bool isNumeric(const Value& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

/// An axis that the user asked for.
Result<TuneAxis> axisOf(const CheckedNode& node, const SweepAxis& varied,
                        const AllowedChanges& allowed) {
  TuneAxis axis;
  axis.name = varied.name();
  axis.changes = sampleChangeOf(*node.spec, varied.param);
  if (!allowed.allows(axis.changes))
    return Error{
        fmt::format("changing {} affects the {} that training sees; allow changes of {} first",
                    axis.name, nameOf(axis.changes), nameOf(axis.changes))};
  std::vector<Value> values = varied.values;
  if (std::ranges::find(values, varied.current) == values.end()) values.push_back(varied.current);
  axis.ordered = std::ranges::all_of(values, isNumeric);
  if (axis.ordered) std::ranges::sort(values);
  for (const Value& value : values) {
    if (value == varied.current) axis.start = axis.levels.size();
    axis.levels.push_back(levelOf(node, varied.param, value, varied.current, axis.changes));
  }
  return axis;
}

}  // namespace

Result<AllowedChanges> parseAllowed(std::string_view text) {
  AllowedChanges allowed;
  for (const std::string& word : split(text, ',')) {
    constexpr std::array kChanges = {SampleChange::Order, SampleChange::Batching,
                                     SampleChange::Content};
    const auto change = std::ranges::find_if(
        kChanges, [&](SampleChange each) { return nameOf(each) == trimmed(word); });
    if (change == kChanges.end())
      return Error{fmt::format("choose order, batching or values, not `{}`", word)};
    allowed.allow(*change);
  }
  return allowed;
}

SampleChange sampleChangeOf(const NodeSpec& node, std::string_view param) {
  switch (node.role) {
    case NodeRole::Workers: return param == "order" ? SampleChange::Order : SampleChange::Nothing;
    case NodeRole::Prefetch:
    case NodeRole::Transfer:
    case NodeRole::Cache: return SampleChange::Nothing;
    case NodeRole::Order: return SampleChange::Order;
    case NodeRole::Batch:
      return param == "size" || param == "drop_last" ? SampleChange::Batching
                                                     : SampleChange::Content;
    case NodeRole::Source: {
      const ParamSpec* spec = node.param(param);
      return spec != nullptr && spec->speedOnly ? SampleChange::Nothing : SampleChange::Content;
    }
    default: return SampleChange::Content;
  }
}

Result<std::vector<TuneAxis>> tuneSpace(const Plan& plan, const TunePreferences& preferences) {
  std::vector<TuneAxis> axes = Space(plan, preferences).take();
  for (const SweepAxis& varied : preferences.varied) {
    const auto node = std::ranges::find(plan.pipeline.nodes, varied.node, &CheckedNode::id);
    if (node == plan.pipeline.nodes.end())
      return Error{fmt::format("`{}` is not between the source and the consumer", varied.node)};
    Result<TuneAxis> axis = axisOf(*node, varied, preferences.allowed);
    if (!axis) return axis.error();
    const auto same = std::ranges::find(axes, varied.name(), &TuneAxis::name);
    if (same != axes.end())
      *same = axis.take();
    else
      axes.push_back(axis.take());
  }
  return axes;
}

std::vector<TunerAxis> tunerAxes(const std::vector<TuneAxis>& axes) {
  std::vector<TunerAxis> plain;
  for (const TuneAxis& axis : axes) plain.push_back({axis.levels.size(), axis.start, axis.ordered});
  return plain;
}

Result<Graph> graphAt(Graph graph, const Catalog& catalog, const std::vector<TuneAxis>& axes,
                      const TunePoint& point) {
  for (const Advice& edit : editsAt(axes, point)) {
    Result<Graph> edited = applyAdvice(std::move(graph), catalog, edit);
    if (!edited) return edited;
    graph = edited.take();
  }
  return graph;
}

namespace {

std::string levelsText(const std::vector<TuneAxis>& axes, const TunePoint& point,
                       bool onlyDiffering) {
  std::vector<std::string> words;
  for (std::size_t a = 0; a < axes.size(); ++a)
    if (!onlyDiffering || point[a] != axes[a].start)
      words.push_back(axes[a].name + "=" + axes[a].levels[point[a]].text);
  return join(words, " ");
}

}  // namespace

std::string settingsText(const std::vector<TuneAxis>& axes, const TunePoint& point) {
  return levelsText(axes, point, true);
}

std::string allSettingsText(const std::vector<TuneAxis>& axes, const TunePoint& point) {
  return levelsText(axes, point, false);
}

std::vector<Advice> editsAt(const std::vector<TuneAxis>& axes, const TunePoint& point) {
  std::vector<Advice> edits;
  for (std::size_t a = 0; a < axes.size(); ++a)
    if (const auto& edit = axes[a].levels[point[a]].edit) edits.push_back(*edit);
  return edits;
}

std::optional<std::size_t> onlyMoved(const std::vector<TuneAxis>& axes, const TunePoint& point) {
  std::optional<std::size_t> moved;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (point[a] == axes[a].start) continue;
    if (moved) return std::nullopt;
    moved = a;
  }
  return moved;
}

}  // namespace millrace
