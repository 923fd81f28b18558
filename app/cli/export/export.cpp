// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace export`: a pipeline as a file, or as code for the engine or for another loader.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/output.h"
#include "app/cli/common/refusal.h"
#include "app/cli/export/export_input.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/base/whole_file.h"
#include "core/spec/did_you_mean.h"

namespace millrace::cli {

namespace {

struct ExportArguments {
  ExportInput input;
  std::string target;
  std::string out;
  bool force = false;
  bool inlined = false;
  bool withTraining = false;

  bool toFile() const { return !out.empty() && out != "-"; }
  IfThere ifThere() const { return force ? IfThere::Replace : IfThere::Refuse; }
  /// The document next to the code: `train.py` has `train.pipeline.json`.
  std::filesystem::path beside() const {
    return std::filesystem::path(out).replace_extension(".pipeline.json");
  }
  /// A device or a pipe has nothing next to it.
  bool hasBeside() const {
    std::error_code ignored;
    const auto type = std::filesystem::status(out, ignored).type();
    return toFile() && !inlined &&
           (type == std::filesystem::file_type::regular ||
            type == std::filesystem::file_type::not_found);
  }
};

std::vector<std::string> targetNames() {
  std::vector<std::string> names;
  for (const Exporter& exporter : exporters()) names.push_back(exporter.name);
  return names;
}

/// The targets that can write a training loop.
std::string trainingTargets() {
  std::vector<std::string> names;
  for (const Exporter& exporter : exporters())
    if (exporter.trains) names.push_back(exporter.name);
  return joinWords(names);
}

std::string noSuchTarget(const std::string& name) {
  return fmt::format("--to {}: there is no such target; {}", name, didYouMean(name, targetNames()));
}

/// Prints what the user should know before running the file.
void printNotes(const Exported& exported, const std::vector<std::string>& notes) {
  const auto note = [](const char* kind, const std::string& text) {
    printMessage("{}{}\n", kind, visibleName(text));
  };
  for (const std::string& text : notes) note("note: ", text);
  for (const std::string& node : exported.missing) note("warning: not translated: ", node);
  for (const std::string& limit : exported.limits) note("note: ", limit);
}

int deliver(const ExportArguments& arguments, const Exported& exported) {
  if (!arguments.toFile()) {
    writeOutput(exported.text);
    return flushOutput() ? kDone : kFailed;
  }
  const IfThere ifThere = arguments.ifThere();
  std::vector<std::pair<std::string, const std::string*>> files;
  // First, so that the code never stands alone.
  if (!exported.document.empty())
    files.emplace_back(arguments.beside().native(), &exported.document);
  files.emplace_back(arguments.out, &exported.text);
  for (const auto& [path, content] : files)
    if (const Status may = mayWrite(path, ifThere); !may) return fail(may.error().message, kFailed);
  for (const auto& [path, content] : files) {
    const Status written = writeWholeFile(path, *content, ifThere);
    if (!written) return fail(written.error().message, kFailed);
    printMessage("written: {}\n", visibleName(path));
  }
  return kDone;
}

int exportCommand(ExportArguments& arguments) {
  if (arguments.input.pipeline.pipeline.empty() && arguments.input.run.empty())
    return fail("name a pipeline, or a run with --run ID");
  const Exporter* exporter = findExporter(arguments.target);
  if (exporter == nullptr) return fail(noSuchTarget(arguments.target));
  if (arguments.withTraining && !exporter->trains)
    return fail(fmt::format("--with-training: {} has no training loop here; these targets do: {}",
                            exporter->name, trainingTargets()),
                kBadUsage);
  // Before the notes, which only concern a file that is written.
  if (arguments.toFile())
    if (const Status may = mayWrite(arguments.out, arguments.ifThere()); !may)
      return fail(may.error().message, kFailed);
  ExportJob job;
  Problems problems;
  std::vector<std::string> notes;
  const bool ready = prepareExport(arguments.input, *exporter, job, problems, notes);
  printProblems(problems.all());
  if (!ready) return kBadUsage;
  job.subject.withTraining = arguments.withTraining;
  if (arguments.hasBeside() && !exporter->translates)
    job.subject.beside = arguments.beside().filename().native();
  const Result<Exported> exported = exportAs(*exporter, job.subject);
  if (!exported) return fail(exported.error().message, kFailed);
  printNotes(*exported, notes);
  return deliver(arguments, *exported);
}

}  // namespace

void addExport(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command =
      app.add_subcommand("export", "Write a pipeline as code for your training program");
  command->footer(
      "Example:  millrace export classification --data ~/photos --to pytorch -o loader.py\n"
      "          millrace export --run last --to pytorch\n"
      "python uses the engine itself, at the measured speed; the other targets are other loaders.\n"
      "The file begins with a list of what the target does differently. If it cannot do a node at "
      "all, the code stops at its start until you replace that part.");
  command->add_option("--to", arguments->target, "One of " + join(targetNames(), ", "))
      ->required()
      ->type_name("TARGET");
  command->add_option("-o,--out", arguments->out, "Write to this file (standard output)")
      ->type_name("FILE");
  command->add_flag("--force", arguments->force, "Replace an existing file");
  command->add_flag(
      "--inline", arguments->inlined,
      "With --to python and -o: put the pipeline into the code, not in a file next to it");
  command->add_flag(
      "--with-training", arguments->withTraining,
      fmt::format("With --to {}: add a model and a loop that trains it", trainingTargets()));
  arguments->input.addTo(*command);
  command->callback(
      [arguments, &action] { action = [arguments] { return exportCommand(*arguments); }; });
}

}  // namespace millrace::cli
