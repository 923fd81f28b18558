// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `examine`: every sample of a data set is examined once, as by `millrace inspect --all`.
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/version.h"
#include "core/events/jobs/data_report_json.h"
#include "core/events/stream/event_json.h"
#include "core/events/stream/event_writer.h"
#include "core/events/stream/steady_seconds.h"
#include "core/formats/io/data_place.h"
#include "core/jobs/inspect/report_job.h"
#include "core/jobs/named/job_kinds.h"
#include "core/storage/remote_path.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

/// Passes progress and result of a report on to its event stream.
class ExaminationStream final : public DataReportObserver {
 public:
  explicit ExaminationStream(int descriptor) : m_writer(descriptor) {
    m_writer.write(helloEvent(steadySeconds(), engineVersion()));
  }

  void onStart() override { m_start = steadySeconds(); }
  void onProgress(const ReportProgress& progress) override {
    const double time = steadySeconds();
    if (!m_from) m_from = progress.done;
    const auto left =
        secondsFor(progress.of - progress.done, progress.done - *m_from, time - m_start);
    m_writer.write(progressEvent(time, progress.done, progress.of, left, progress.set));
  }
  void end(const DataReport& report) { m_writer.write(dataReportEvent(steadySeconds(), report)); }

 private:
  EventWriter m_writer;
  double m_start = 0;
  std::optional<std::uint64_t> m_from;  ///< samples of an earlier report
};

/// A report with its observer.
class Examination {
 public:
  Examination(DataReportJob::Options options, DataReportObserver& observer)
      : m_job(std::move(options)), m_observer(observer) {}
  Result<DataReport> run() { return m_job.run(m_observer); }
  void stop() { m_job.stop(); }

 private:
  DataReportJob m_job;
  DataReportObserver& m_observer;
};

class NamedExamination final : public StoppableJob<Examination> {
 public:
  explicit NamedExamination(DataReportJob::Options options) : m_options(std::move(options)) {}

  NamedJobEnd run(int events) override {
    for (const fs::path* path :
         {&m_options.path, m_options.against ? &*m_options.against : nullptr})
      if (path != nullptr && !isRemotePath(path->native()) && !isFolderAt(*path) &&
          !isFileAt(*path)) {
        Problems problems;
        problems.add({Severity::Error, "", "",
                      fmt::format("{} does not exist", validUtf8(path->native())), ""});
        return refusedFor(problems, events);
      }
    ExaminationStream stream(events);
    Examination examination(m_options, stream);
    const Result<DataReport> report = runJob(examination);
    if (!report) return {NamedJobEnd::Kind::Failed, {}, validUtf8(report.error().message)};
    stream.end(*report);
    return {NamedJobEnd::Kind::Done, dataReportJson(*report, false), {}};
  }

 private:
  const DataReportJob::Options m_options;
};

fs::path absolutePath(const std::string& text) {
  fs::path path = typedPath(text);
  return !isRemotePath(text) && path.filename().empty() ? path.parent_path() : path;
}

}  // namespace

Result<std::unique_ptr<NamedJob>> makeExamineJob(JobOptions& options,
                                                 const std::string& /*program*/) {
  std::string path;
  std::string against;
  std::optional<std::uint64_t> workers;
  std::optional<std::uint64_t> names = 10000;
  DataReportJob::Options wanted;
  options.read("path", path);
  options.read("against", against);
  options.read("workers", workers, 1);
  options.read("names", names);
  options.read("restart", wanted.restart);
  if (path.empty()) options.refuse("name the data: `path`, a file or a folder");
  if (workers.value_or(1) > 1024) options.refuse("workers: at most 1024 are allowed");
  MILLRACE_TRY(options.finish());
  wanted.path = absolutePath(path);
  if (!against.empty()) wanted.against = absolutePath(against);
  wanted.workers = static_cast<unsigned>(workers.value_or(0));
  wanted.names = static_cast<std::size_t>(*names);
  if (wanted.against == wanted.path) return Error{"`against` names the same data as `path`"};
  return std::unique_ptr<NamedJob>(std::make_unique<NamedExamination>(std::move(wanted)));
}

}  // namespace millrace
