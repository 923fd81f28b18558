// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <utility>

#include "core/base/result.h"
#include "core/inspect/folder_content.h"
#include "core/inspect/inspection.h"
#include "core/inspect/pipeline_proposal.h"

namespace millrace {

/// Limits of a job that the user waits for: detection looks at every name, and the survey at an
/// evenly spaced part of the samples.
ScanLimits thoroughScan();

/// Receives what an InspectJob finds, step by step, on the thread that runs the job.
class InspectObserver {
 public:
  virtual ~InspectObserver() = default;
  /// What the names and some headers show.
  virtual void onContent(const FolderContent& /*content*/) {}
  /// The source of the proposed pipeline is open, and its samples will be read next.
  virtual void onProposal(const PipelineProposal& /*proposal*/) {}
};

/// Finds out what a folder or a file contains, what reading it costs, and which pipeline reads it.
/// One thread.
class InspectJob {
 public:
  struct Options {
    std::filesystem::path path;  ///< absolute; must exist
    std::uint32_t samples = SurveyLimits{}.samples;
  };
  explicit InspectJob(Options options) : m_options(std::move(options)) {}

  /// Blocks on file I/O. Data that no source can read is a result without a survey. The error says
  /// why a source that should read the data could not be opened.
  Result<Inspection> run(InspectObserver& observer);
  /// Ends `run` early, with what was read so far. Any thread.
  void stop() { m_stop = true; }

 private:
  const Options m_options;
  std::atomic<bool> m_stop = false;
};

}  // namespace millrace
