// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace preview`: a few samples after a node, to look at.
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/pipeline_input.h"
#include "app/cli/common/refusal.h"
#include "app/cli/preview/preview_json.h"
#include "app/cli/preview/preview_server.h"
#include "core/jobs/preview/preview_chain.h"
#include "core/jobs/preview/preview_field.h"
#include "core/jobs/preview/preview_run.h"

namespace millrace::cli {

namespace {

struct PreviewArguments {
  PipelineArguments pipeline;
  std::string node;
  std::uint64_t first = 0;
  std::size_t count = 8;
  std::string folder;
  bool serve = false;
};

/// Writes the pictures of a sample as DIR/INDEX_FIELD.png.
Status savePictures(const std::filesystem::path& folder, std::uint64_t place,
                    const PreviewSample& sample, const Plan& plan) {
  const std::vector<FieldSpec>& specs = plan.pipeline.nodes.back().out.fields;
  for (std::size_t f = 0; sample.sample != nullptr && f < specs.size(); ++f) {
    const auto png = previewPng(specs[f], (*sample.sample)[f]);
    if (!png) continue;
    const auto file = folder / fmt::format("{:05}_{}.png", place, specs[f].name);
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(png->data()),
              static_cast<std::streamsize>(png->size()));
    if (!out.flush()) return Error{fmt::format("{} cannot be written", file.string())};
  }
  return {};
}

int previewCommand(const PreviewArguments& arguments) {
  if (arguments.serve) return servePreviews();
  Problems problems;
  std::optional<LoadedPipeline> loaded = loadPipeline(arguments.pipeline, problems);
  printProblems(problems.all());
  if (!loaded) return kBadUsage;
  const PreviewOptions request{std::move(loaded->graph), loaded->base,
                               arguments.node,           arguments.first,
                               arguments.count,          arguments.pipeline.noRandom};
  KeptSource kept;
  const auto plan = previewPlan(request, kept);
  if (!plan) return fail(plan.error().message, kBadUsage);
  auto run = PreviewRun::make(*plan, request.noRandom);
  if (!run) return fail(run.error().message, kBadUsage);
  std::error_code error;
  if (!arguments.folder.empty()) std::filesystem::create_directories(arguments.folder, error);
  if (error) return fail(arguments.folder + ": " + error.message(), kFailed);
  for (std::uint64_t place = request.first; place < request.first + request.count; ++place) {
    const PreviewSample sample = (*run)->at(place);
    fmt::print("{}\n", sampleLine(std::nullopt, place, sample, *plan));
    if (arguments.folder.empty()) continue;
    if (Status saved = savePictures(arguments.folder, place, sample, *plan); !saved)
      return fail(saved.error().message, kFailed);
  }
  return kDone;
}

}  // namespace

void addPreview(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<PreviewArguments>();
  CLI::App* preview =
      app.add_subcommand("preview", "Make a few samples and show them after a given node");
  preview->footer(
      "Example: eight pictures after the crop, as PNG files\n"
      "  millrace preview classification --node random_resized_crop -o /tmp/look\n"
      "Prints one JSON line per sample: name, labels, statistics, pictures in base64.");
  arguments->pipeline.addTo(*preview);
  preview->get_option("pipeline")->required(false);
  preview
      ->add_option("--node", arguments->node,
                   "Show samples after this node (the last that changes samples)")
      ->type_name("ID");
  preview
      ->add_option("--first", arguments->first,
                   "Index of the first sample, in the pipeline's order (0)")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 31U));
  preview->add_option("--count", arguments->count, "Number of samples, at most 16 (8)")
      ->check(CLI::Range(std::size_t{1}, PreviewOptions::kMostSamples));
  preview->add_option("-o,--output", arguments->folder, "Write the pictures to this folder as PNG")
      ->type_name("DIR");
  preview->add_flag("--serve", arguments->serve,
                    "Answer requests from standard input, one JSON object per line");
  preview->callback([arguments, &action] {
    if (!arguments->serve && arguments->pipeline.pipeline.empty())
      throw CLI::RequiredError("pipeline");
    action = [arguments] { return previewCommand(*arguments); };
  });
}

}  // namespace millrace::cli
