// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <utility>
#include <variant>

#include "core/base/result.h"
#include "core/convert/conversion.h"
#include "core/open/pipeline_request.h"
#include "core/run/failure_budget.h"

namespace millrace {

/// Receives the progress of a ConvertJob, on the thread that runs the job.
class ConvertObserver {
 public:
  virtual ~ConvertObserver() = default;
  /// The source is open; writing begins.
  virtual void onStart() {}
  /// Several times a second.
  virtual void onProgress(const ConvertProgress& /*progress*/) {}
};

/// Writes a data set in another format. One thread.
class ConvertJob {
 public:
  struct Options {
    /// A folder or a file of data, absolute, for which InspectJob's proposal is used; or a
    /// pipeline. Its source is read, and files are decoded as its node `decode` does.
    std::variant<std::filesystem::path, LoadedPipeline> source;
    ConvertOptions conversion;  ///< the job sets what the source and the pipeline decide
    FailureLimit failures;
  };
  explicit ConvertJob(Options options) : m_options(std::move(options)) {}

  /// An error if one of the two lies within the other, which would then be read while it is
  /// written.
  static Status checkApart(const std::filesystem::path& source,
                           const std::filesystem::path& target);

  /// Blocks until the target is complete, or until `stop`: then `outcome.interrupted` is set. The
  /// error says why there is no target. `source` and `next` of the result are left empty.
  Result<Converted> run(ConvertObserver& observer);
  /// Interrupts `run`; the conversion can be resumed. Any thread.
  void stop() { m_stop = true; }

 private:
  Result<LoadedPipeline> pipeline() const;

  Options m_options;
  std::atomic<bool> m_stop = false;
};

}  // namespace millrace
