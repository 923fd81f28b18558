// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace export`: a pipeline as a file, or as code for the engine or for another loader.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/output.h"
#include "app/cli/common/refusal.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/export/export_input.h"
#include "core/base/text.h"
#include "core/base/whole_file.h"

namespace millrace::cli {

namespace {

struct ExportArguments {
  ExportInput input;
  std::string target;
  std::string out;
  bool force = false;
};

std::vector<std::string> targetNames() {
  std::vector<std::string> names;
  for (const Exporter& exporter : exporters()) names.push_back(exporter.name);
  return names;
}

std::string noSuchTarget(const std::string& name) {
  const std::vector<std::string> names = targetNames();
  const std::string there = "; valid targets are " + joinWords(names);
  const std::string like = nearest(name, names);
  return fmt::format("--to {}: there is no such target{}{}", name,
                     like.empty() ? "" : ", did you mean " + like + "?", there);
}

/// Prints what the user should know before running the file.
void printNotes(const Exported& exported, const std::vector<std::string>& notes) {
  const auto note = [](const char* kind, const std::string& text) {
    printMessage("{}", wrapped(kind + validUtf8(text), 4));
  };
  for (const std::string& text : notes) note("note: ", text);
  for (const std::string& node : exported.missing) note("warning: not translated: ", node);
  for (const std::string& limit : exported.limits) note("note: ", limit);
}

int deliver(const ExportArguments& arguments, const Exported& exported) {
  if (arguments.out.empty() || arguments.out == "-") {
    writeOutput(exported.text);
    return flushOutput() ? kDone : kFailed;
  }
  const Status written = writeWholeFile(arguments.out, exported.text,
                                        arguments.force ? IfThere::Replace : IfThere::Refuse);
  if (!written) return refuse(written.error().message, kFailed);
  printMessage("written: {}\n", validUtf8(arguments.out));
  return kDone;
}

int exportCommand(ExportArguments& arguments) {
  if (arguments.input.pipeline.pipeline.empty() && arguments.input.run.empty())
    return refuse("name a pipeline, or a run with --run ID", kBadUsage);
  const Exporter* exporter = findExporter(arguments.target);
  if (exporter == nullptr) return refuse(noSuchTarget(arguments.target), kBadUsage);
  ExportJob job;
  Problems problems;
  std::vector<std::string> notes;
  const bool ready = prepareExport(arguments.input, *exporter, job, problems, notes);
  printProblems(problems.all());
  if (!ready) return kBadUsage;
  const Result<Exported> exported = exporter->write(job.subject);
  if (!exported) return refuse(exported.error().message, kFailed);
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
      "The file begins with a list of what the target does differently. If it cannot do a node at\n"
      "all, the code stops at its start until you replace that part.");
  command->add_option("--to", arguments->target, "One of " + join(targetNames(), ", "))
      ->required()
      ->type_name("TARGET");
  command->add_option("-o,--out", arguments->out, "Write to this file (standard output)")
      ->type_name("FILE");
  command->add_flag("--force", arguments->force, "Replace an existing file");
  arguments->input.addTo(*command);
  command->callback(
      [arguments, &action] { action = [arguments] { return exportCommand(*arguments); }; });
}

}  // namespace millrace::cli
