// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/named/job_kinds.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/version.h"
#include "core/events/stream/event_json.h"
#include "core/events/stream/event_writer.h"
#include "core/events/stream/steady_seconds.h"
#include "core/store/run_store.h"

namespace millrace {

namespace {

struct NamedJobKind {
  std::string name;
  Result<std::unique_ptr<NamedJob>> (*make)(JobOptions& options, const std::string& program);
};

std::string lowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

const std::vector<NamedJobKind>& allNamedJobKinds() {
  static const std::vector<NamedJobKind> kinds{
#define MILLRACE_NAMED_JOB(kind) {lowerCase(#kind), make##kind##Job},
#include "core/jobs/named/named_jobs.def"
#undef MILLRACE_NAMED_JOB
  };
  return kinds;
}

}  // namespace

std::vector<std::string> namedJobKinds() {
  std::vector<std::string> names;
  for (const NamedJobKind& kind : allNamedJobKinds()) names.push_back(kind.name);
  return names;
}

Result<std::unique_ptr<NamedJob>> makeNamedJob(std::string_view kind, std::string_view options,
                                               const std::string& program) {
  const auto& kinds = allNamedJobKinds();
  const auto found = std::ranges::find(kinds, kind, &NamedJobKind::name);
  if (found == kinds.end())
    return Error{
        fmt::format("there is no job `{}`; choose one of {}", kind, joinWords(namedJobKinds()))};
  MILLRACE_ASSIGN_OR_RETURN(JobOptions read, JobOptions::parse(options));
  return found->make(read, program);
}

PipelineRequest readPipeline(JobOptions& options, bool needed) {
  PipelineRequest request;
  options.read("pipeline", request.pipeline);
  options.readDocument("document", request.document);
  options.readTexts("data", request.data);
  options.readSettings("settings", request.settings);
  for (const PipelineEditKind& kind : pipelineEditKinds())
    options.readTexts(std::string(kind.name).c_str(), request.edits.*kind.texts);
  options.read("step", request.stepSeconds);
  readReading(options, request);
  const bool none = request.pipeline.empty() && !request.document;
  if (none ? needed : !request.pipeline.empty() && request.document.has_value())
    options.refuse("name one pipeline: `pipeline`, a file or example, or `document`, its text");
  return request;
}

void readReading(JobOptions& options, PipelineRequest& request) {
  options.read("base", request.base);
  options.read("seed", request.seed);
  options.read("no_random", request.noRandom);
  options.read("no_fuse", request.noFuse);
}

KeepSettings readKeeping(JobOptions& options, const std::string& experiment) {
  KeepSettings keep;
  keep.labels.experiment = experiment;
  std::string file = defaultStorePath();
  options.readFile("store", file, file);
  keep.keep = !file.empty();
  keep.file = file;
  options.read("experiment", keep.labels.experiment);
  options.read("name", keep.labels.name);
  options.readTexts("tags", keep.labels.tags);
  return keep;
}

FailureLimit readFailureLimit(JobOptions& options) {
  std::string text;
  options.read("max_failures", text);
  if (text.empty()) return {};
  const auto limit = FailureLimit::parse(text);
  if (!limit) options.refuse("max_failures: " + limit.error().message);
  return limit ? *limit : FailureLimit{};
}

std::optional<std::string> readResume(JobOptions& options) {
  std::optional<std::string> experiment;
  options.readYesOrText("resume", experiment);
  return experiment;
}

MeasureOptions readMeasureOptions(JobOptions& options) {
  MeasureOptions measure;
  std::optional<std::uint64_t> repeats;
  options.read("seconds", measure.seconds);
  options.read("warmup", measure.warmup);
  options.read("repeats", repeats, 1);
  if (measure.seconds && *measure.seconds <= 0)
    options.refuse("seconds: expected a number above 0");
  if (repeats && *repeats > 1000) options.refuse("repeats: at most 1000 are allowed");
  if (repeats) measure.repeats = static_cast<std::size_t>(*repeats);
  return measure;
}

Status namedProgram(const std::string& program, const std::string& search) {
  if (!program.empty()) return {};
  return Error{fmt::format(
      "a {} measures each trial with the program `millrace`: name its path as `program`", search)};
}

NamedJobEnd refusedFor(const Problems& problems, int events) {
  EventWriter writer(events);
  writer.write(helloEvent(steadySeconds(), engineVersion()));
  NamedJobEnd end;
  end.kind = NamedJobEnd::Kind::Input;
  for (const Problem& problem : problems.all()) {
    writer.write(problemEvent(steadySeconds(), problem));
    if (problem.severity != Severity::Error) continue;
    if (!end.error.empty()) end.error += '\n';
    constexpr std::string_view kHead = "error: ";
    Problem bare = problem;
    bare.remedy.clear();
    end.error += validUtf8(bare.text().substr(kHead.size()));
    if (!problem.remedy.empty()) end.error += "; " + validUtf8(problem.remedy);
  }
  return end;
}

}  // namespace millrace
