// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/open/pipeline_request.h"

#include <fstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "core/base/text/loader_word.h"
#include "core/base/text/shell_word.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/graph/edit/graph_edit.h"
#include "core/graph/json/graph_json.h"
#include "core/graph/plan_memory.h"
#include "core/monitor/free_memory.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"

namespace millrace {

namespace fs = std::filesystem;

namespace {

/// Whether a path holds data where a pipeline is expected: a folder, or a file that cannot be JSON.
bool isData(const fs::path& path) {
  std::error_code none;
  if (fs::is_directory(path, none)) return true;
  if (!fs::is_regular_file(path, none)) return false;
  constexpr std::string_view kBegins = "{[\xEF";  // the last one begins a byte order mark
  std::ifstream file(path, std::ios::binary);
  char first = 0;
  return file >> first && kBegins.find(first) == std::string_view::npos;
}

ReadGraph readDocument(const PipelineRequest& request, fs::path& base) {
  const Catalog& catalog = builtinCatalog();
  if (request.document) return parseGraph(*request.document, catalog);
  std::error_code error;
  // A folder of data may have the name of an example.
  if (!fs::exists(request.pipeline, error) || fs::is_directory(request.pipeline, error))
    if (const auto example = exampleJson(request.pipeline)) return parseGraph(*example, catalog);
  base = fs::absolute(request.pipeline, error).parent_path();
  ReadGraph missing;
  if (isData(request.pipeline)) {
    missing.problems.error(
        "", "", fmt::format("{} is not a pipeline", visibleName(request.pipeline)),
        fmt::format("if it is data, `millrace inspect {0} -o FILE` writes a pipeline for it, or "
                    "an example reads it: `millrace run classification --data {0}`",
                    shownShellWord(request.pipeline)));
    return missing;
  }
  if (fs::exists(request.pipeline, error)) return readGraph(request.pipeline, catalog);
  if (isLoaderWord(request.pipeline)) {
    missing.problems.error(
        "", "", fmt::format("{} is a loader of your own, not a pipeline", request.pipeline),
        fmt::format("measure it with `millrace loader {0}`, find better arguments for it with "
                    "`millrace loader {0} --tune`, or write it as a pipeline with `millrace "
                    "import {0} -o FILE`",
                    shownShellWord(request.pipeline)));
    return missing;
  }
  std::vector<std::string> names;
  for (const Example& example : examples()) names.emplace_back(example.name);
  const std::string like = nearest(request.pipeline, names);
  missing.problems.error("", "",
                         fmt::format("{}: no such file, and no example with this name{}",
                                     visibleName(request.pipeline),
                                     like.empty() ? "" : "; did you mean " + like + "?"),
                         "give a *.millrace.json file or one of the examples " + joinWords(names));
  return missing;
}

/// Applies edits one after another; each refused edit is reported as a problem.
class Edits {
 public:
  Edits(Graph& graph, Problems& problems) : m_graph(graph), m_problems(problems) {}

  void take(Result<Graph> edited, const std::string& flag) {
    if (edited)
      m_graph = edited.take();
    else
      m_problems.error("", flag, edited.error().message, "");
    m_fine = m_fine && edited.ok();
  }
  bool fine() const { return m_fine; }

 private:
  Graph& m_graph;
  Problems& m_problems;
  bool m_fine = true;
};

/// applySetting; its error names the parameter only if the setting does not.
Result<Graph> settingApplied(const Graph& graph, const Catalog& catalog,
                             const std::string& setting) {
  Result<Graph> applied = applySetting(graph, catalog, setting);
  const std::string prefix = setting.substr(0, setting.find('=')) + ": ";
  if (applied || !applied.error().message.starts_with(prefix)) return applied;
  return Error{applied.error().message.substr(prefix.size())};
}

}  // namespace

std::optional<LoadedPipeline> loadRequest(const PipelineRequest& request, Problems& problems) {
  LoadedPipeline loaded;
  // The current folder may have been removed.
  std::error_code error;
  loaded.base = fs::current_path(error);
  ReadGraph read = readDocument(request, loaded.base);
  for (const Problem& problem : read.problems.all()) problems.add(problem);
  if (!read.graph) return std::nullopt;
  loaded.graph = std::move(*read.graph);
  if (!request.base.empty()) {
    loaded.base = fs::absolute(request.base, error);
    if (!fs::is_directory(loaded.base, error)) {
      problems.error("", "the setting `base`",
                     fmt::format("there is no folder {}", visibleName(request.base)), "");
      return std::nullopt;
    }
  }
  if (request.seed) loaded.graph.seed = *request.seed;
  const Catalog& catalog = builtinCatalog();
  Edits edits(loaded.graph, problems);
  for (const PipelineEditKind& kind : pipelineEditKinds())
    for (const std::string& text : request.edits.*kind.texts)
      edits.take(kind.apply(loaded.graph, catalog, text),
                 fmt::format("the setting `{}` {}", kind.name, text));
  if (request.stepSeconds)
    edits.take(withStep(loaded.graph, catalog, *request.stepSeconds), "the setting `step`");
  if (!request.data.empty())
    edits.take(applyData(loaded.graph, catalog, request.data), "the setting `data`");
  for (const std::string& setting : request.settings)
    edits.take(settingApplied(loaded.graph, catalog, setting), "setting " + setting);
  if (!edits.fine()) return std::nullopt;
  return loaded;
}

std::optional<PreparedPipeline> prepareLoaded(LoadedPipeline loaded, const PipelineRequest& request,
                                              const PlanOptions& planOptions, DeviceUse device,
                                              Problems& problems) {
  CheckOptions options;
  options.base = loaded.base;
  options.openData = true;
  options.noRandom = request.noRandom;
  options.device = device;
  CheckResult checked = checkGraph(loaded.graph, builtinCatalog(), options);
  for (const Problem& problem : checked.problems.all()) problems.add(problem);
  if (!checked.pipeline) return std::nullopt;
  Result<Plan> plan = makePlan(std::move(*checked.pipeline), planOptions);
  if (!plan) {
    problems.error("", "", plan.error().message, "");
    return std::nullopt;
  }
  if (auto lack = lackOfSlotMemory(*plan, freeMemoryBytes())) {
    problems.add(std::move(*lack));
    return std::nullopt;
  }
  return PreparedPipeline{std::move(loaded.graph), plan.take(), std::move(loaded.base)};
}

}  // namespace millrace
