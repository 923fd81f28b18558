// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The functions of millrace.h about jobs.
#include <unistd.h>

#include <fmt/format.h>

#include "app/capi/guarded.h"
#include "app/capi/millrace.h"
#include "app/capi/open_handles.h"

namespace millrace::capi {

namespace {

constexpr std::uint32_t kFirstJobAbi = 3;

/// Runs work on a job of this process, and keeps the job alive until it is done.
template <class Work>
millrace_status withJob(const millrace_job* job, Work&& work) {
  return guarded([&] {
    if (job == nullptr) return failed(MILLRACE_ERROR_USE, "the job is NULL");
    const auto open = OpenJobs::instance().find(job);
    if (!open) return failed(MILLRACE_ERROR_USE, "the job is closed");
    if (open->process != getpid())
      return failed(MILLRACE_ERROR_USE,
                    "this job was started before the process forked, so its threads do not exist "
                    "here; start a job in each process after the fork");
    return work(*open->job);
  });
}

millrace_status startJob(const millrace_job_options& options, millrace_job** job) {
  if (options.abi < kFirstJobAbi || options.abi > MILLRACE_ABI)
    return failed(MILLRACE_ERROR_USE,
                  fmt::format("this program is compiled for the interface {} of libmillrace, "
                              "whose jobs have the interfaces {} to {}",
                              options.abi, kFirstJobAbi, MILLRACE_ABI)
                      .c_str());
  if (options.kind == nullptr) return failed(MILLRACE_ERROR_USE, "the kind of the job is NULL");
  auto made = makeNamedJob(options.kind, options.options == nullptr ? "{}" : options.options,
                           options.program == nullptr ? "" : options.program);
  if (!made) return failed(MILLRACE_ERROR_INPUT, made.error().message.c_str());
  auto started = JobHandle::start(made.take());
  if (!started) return failed(MILLRACE_ERROR_RUN, started.error().message.c_str());
  *job = OpenJobs::instance().add({started.take(), getpid()});
  return MILLRACE_OK;
}

millrace_status statusOf(JobHandle::Next next) {
  switch (next) {
    case JobHandle::Next::Event: return MILLRACE_OK;
    case JobHandle::Next::Timeout: return MILLRACE_TIMEOUT;
    case JobHandle::Next::End: return MILLRACE_JOB_END;
    case JobHandle::Next::Closed: break;
  }
  return failed(MILLRACE_ERROR_USE, "the job is closed");
}

}  // namespace

}  // namespace millrace::capi

using namespace millrace::capi;

millrace_status millrace_job_start(const millrace_job_options* options, millrace_job** job) {
  return guarded([&] {
    if (job == nullptr || options == nullptr)
      return failed(MILLRACE_ERROR_USE, "the pointer to the options or to the job is NULL");
    *job = nullptr;
    return startJob(*options, job);
  });
}

millrace_status millrace_job_next_event(millrace_job* job, double seconds, char** event) {
  return withJob(job, [&](JobHandle& running) {
    if (event == nullptr) return failed(MILLRACE_ERROR_USE, "the pointer to the event is NULL");
    *event = nullptr;
    constexpr double kForEver = 1e9;
    std::string line;
    const JobHandle::Next next = running.nextEvent(until(seconds < 0 ? kForEver : seconds), line);
    if (next == JobHandle::Next::Event) *event = copied(line);
    return statusOf(next);
  });
}

millrace_status millrace_job_stop(millrace_job* job) {
  return withJob(job, [](JobHandle& running) {
    running.stop();
    return MILLRACE_OK;
  });
}

millrace_status millrace_job_result(millrace_job* job, char** result) {
  return withJob(job, [&](JobHandle& running) {
    if (result == nullptr) return failed(MILLRACE_ERROR_USE, "the pointer to the result is NULL");
    *result = nullptr;
    const auto end = running.end();
    if (!end) return MILLRACE_TIMEOUT;
    switch (end->kind) {
      case millrace::NamedJobEnd::Kind::Done: *result = copied(end->result); return MILLRACE_OK;
      case millrace::NamedJobEnd::Kind::Input:
        return failed(MILLRACE_ERROR_INPUT, end->error.c_str());
      case millrace::NamedJobEnd::Kind::Failed: break;
    }
    return failed(MILLRACE_ERROR_RUN, end->error.c_str());
  });
}

void millrace_job_close(millrace_job* job) {
  if (job != nullptr) OpenJobs::instance().close(job);
}
