// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/pipeline_input.h"

#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/sample_making.h"
#include "app/cli/text_layout.h"
#include "core/base/shell_word.h"
#include "core/base/text.h"
#include "core/graph/graph_edit.h"
#include "core/graph/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/samples/examples.h"

namespace millrace::cli {

namespace fs = std::filesystem;

void PipelineArguments::addTo(CLI::App& command) {
  command
      .add_option("pipeline", pipeline,
                  "A *.millrace.json file, the name of an example, or - for standard input")
      ->required();
  command.add_option("--data", data, "Read this data instead: sets the source's paths in order")
      ->type_name("PATH")
      ->allow_extra_args(false);
  command.add_option("--set", settings, "Change a parameter, e.g. workers.count=4")
      ->type_name("NODE.PARAM=VALUE")
      ->allow_extra_args(false);
  addReadingTo(command);
}

std::string PipelineArguments::suggested() const {
  return " " + shellWord(pipeline) + suggestedFlags();
}

std::string PipelineArguments::suggestedFlags() const {
  std::string text;
  for (const std::string& path : data) text += " --data " + shellWord(path);
  for (const std::string& setting : settings) text += " --set " + shellWord(setting);
  return text + suggestedReading();
}

std::string PipelineArguments::suggestedReading() const {
  std::string text;
  if (seed) text += fmt::format(" --seed {}", *seed);
  if (!base.empty()) text += " --base " + shellWord(base);
  if (noRandom) text += " --no-random";
  if (noFuse) text += " --no-fuse";
  return text;
}

void PipelineArguments::addReadingTo(CLI::App& command) {
  command.add_option("--seed", seed, "Seed of all random draws");
  command.add_option("--base", base, "Folder that relative paths start from")->type_name("DIR");
  command.add_flag("--no-random", noRandom, "Centre of each draw, source order: to compare pixels");
  command.add_flag("--no-fuse", noFuse, "Run every node apart, to see what each one costs");
}

namespace {

ReadGraph readDocument(const PipelineArguments& arguments, fs::path& base) {
  const Catalog& catalog = builtinCatalog();
  if (arguments.document) return parseGraph(*arguments.document, catalog);
  if (arguments.pipeline == "-") {
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    return parseGraph(text, catalog);
  }
  std::error_code error;
  if (!fs::exists(arguments.pipeline, error))
    if (const auto example = exampleJson(arguments.pipeline)) return parseGraph(*example, catalog);
  base = fs::absolute(arguments.pipeline, error).parent_path();
  if (fs::exists(arguments.pipeline, error)) return readGraph(arguments.pipeline, catalog);
  ReadGraph missing;
  std::vector<std::string> names;
  for (const Example& example : examples()) names.emplace_back(example.name);
  const std::string like = nearest(arguments.pipeline, names);
  missing.problems.error(
      "", "",
      fmt::format("{}: no such file, and no example of that name{}", arguments.pipeline,
                  like.empty() ? "" : ", did you mean " + like + "?"),
      "give a *.millrace.json file or one of the examples " + joinWords(names));
  return missing;
}

/// Applies one edit after the other; the first that is refused is the problem.
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

}  // namespace

std::optional<LoadedPipeline> loadPipeline(const PipelineArguments& arguments, Problems& problems) {
  LoadedPipeline loaded;
  // The folder may have been removed since the shell went there.
  std::error_code error;
  loaded.base = fs::current_path(error);
  ReadGraph read = readDocument(arguments, loaded.base);
  for (const Problem& problem : read.problems.all()) problems.add(problem);
  if (!read.graph) return std::nullopt;
  loaded.graph = std::move(*read.graph);
  if (!arguments.base.empty()) loaded.base = fs::absolute(arguments.base, error);
  if (arguments.seed) loaded.graph.seed = *arguments.seed;
  const Catalog& catalog = builtinCatalog();
  Edits edits(loaded.graph, problems);
  if (!arguments.data.empty())
    edits.take(applyData(loaded.graph, catalog, arguments.data), "--data");
  for (const std::string& setting : arguments.settings)
    edits.take(applySetting(loaded.graph, catalog, setting), "--set " + setting);
  if (!edits.fine()) return std::nullopt;
  if (Status made = makeSamplesFor(loaded.graph); !made) {
    problems.error("", "", made.error().message, "");
    return std::nullopt;
  }
  return loaded;
}

std::optional<PreparedPipeline> preparePipeline(const PipelineArguments& arguments,
                                                Problems& problems) {
  std::optional<LoadedPipeline> loaded = loadPipeline(arguments, problems);
  if (!loaded) return std::nullopt;
  CheckOptions options;
  options.base = loaded->base;
  options.openData = true;
  options.noRandom = arguments.noRandom;
  CheckResult checked = checkGraph(loaded->graph, builtinCatalog(), options);
  for (const Problem& problem : checked.problems.all()) problems.add(problem);
  if (!checked.pipeline) return std::nullopt;
  PlanOptions planOptions;
  planOptions.fuse = !arguments.noFuse;
  Result<Plan> plan = makePlan(std::move(*checked.pipeline), planOptions);
  if (!plan) {
    problems.error("", "", plan.error().message, "");
    return std::nullopt;
  }
  return PreparedPipeline{std::move(loaded->graph), plan.take(), std::move(loaded->base)};
}

std::string keptText(const PreparedPipeline& prepared) {
  const Catalog& catalog = builtinCatalog();
  return graphText(withAbsolutePaths(prepared.graph, catalog, prepared.base), catalog);
}

void printProblems(const std::vector<Problem>& problems) {
  // A terminal shows whole words; what a script reads keeps each sentence on its line.
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const auto line = [terminal](const std::string& text, std::size_t begun) {
    return terminal ? wrapped(text, 4, begun) : text + "\n";
  };
  for (const Problem& problem : problems) {
    Problem head = problem;
    head.remedy.clear();
    fmt::print(stderr, "{}", line(validUtf8(head.text()), 0));
    if (!problem.remedy.empty()) fmt::print(stderr, "    {}", line(validUtf8(problem.remedy), 4));
  }
}

}  // namespace millrace::cli
