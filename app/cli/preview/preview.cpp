// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace preview`: a few samples after a node, to look at.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/numbers.h"
#include "app/cli/common/output.h"
#include "app/cli/common/pipeline_input.h"
#include "app/cli/common/refusal.h"
#include "app/cli/preview/preview_server.h"
#include "core/base/whole_file.h"
#include "core/events/jobs/preview_json.h"
#include "core/jobs/preview/preview_job.h"

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

/// Prints each sample, and writes its pictures as DIR/INDEX_FIELD.png.
class PreviewPage final : public PreviewObserver {
 public:
  explicit PreviewPage(std::filesystem::path folder) : m_folder(std::move(folder)) {}

  void onSample(const PreviewedSample& sample) override {
    if (m_status && !m_folder.empty()) m_status = prepareFolder();
    if (!m_status) return;
    print("{}\n", previewSampleLine(std::nullopt, sample));
    for (const PreviewedField& field : sample.fields)
      if (m_status && !m_folder.empty() && !field.png.empty()) m_status = save(sample, field);
  }
  bool mayContinue() override { return m_status.ok(); }
  const Status& status() const { return m_status; }

 private:
  Status prepareFolder() const {
    std::error_code error;
    std::filesystem::create_directories(m_folder, error);
    if (error) return Error{m_folder.string() + ": " + error.message()};
    return {};
  }

  Status save(const PreviewedSample& sample, const PreviewedField& field) const {
    const auto file = m_folder / fmt::format("{:05}_{}.png", sample.place, field.name);
    const std::string_view bytes(reinterpret_cast<const char*>(field.png.data()), field.png.size());
    return writeWholeFile(file, bytes, IfThere::Replace);
  }

  const std::filesystem::path m_folder;
  Status m_status;
};

int previewCommand(const PreviewArguments& arguments) {
  if (arguments.serve) return servePreviews();
  Problems problems;
  std::optional<LoadedPipeline> loaded = loadPipeline(arguments.pipeline, problems);
  printProblems(problems.all());
  if (!loaded) return kBadUsage;
  const PreviewOptions options{std::move(loaded->graph), loaded->base,
                               arguments.node,           arguments.first,
                               arguments.count,          arguments.pipeline.noRandom};
  PreviewPage page(arguments.folder);
  PreviewJob job;
  if (const auto end = job.run(options, page); !end) return fail(end.error().message, kBadUsage);
  return page.status() ? kDone : fail(page.status().error().message, kFailed);
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
      ->transform(whole(0, std::uint64_t{1} << 31U));
  preview->add_option("--count", arguments->count, "Number of samples, at most 16 (8)")
      ->transform(whole(1, PreviewOptions::kMostSamples));
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
