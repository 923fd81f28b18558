// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/result.h"
#include "core/spec/source.h"

namespace millrace {

/// How many distinct samples may fail (CONTRACT §4): a number, or a share of the source's samples.
struct FailureLimit {
  std::optional<std::uint64_t> count;
  double share = 0.01;  ///< used when `count` is not set

  /// "37" or "2.5%".
  static Result<FailureLimit> parse(const std::string& text);
  std::uint64_t allowed(std::uint64_t sourceSamples) const;
  std::string text() const;
};

struct FailedSample {
  std::string sample;  ///< name of the sample in its source; any bytes
  std::string reason;  ///< "decode: truncated after 18 231 bytes"
};

/// Counts failed samples of a run and names them. Monitor: any thread.
class FailureBudget {
 public:
  /// Reasons are kept for the first kKept samples; all are counted.
  static constexpr std::size_t kKept = 1000;

  FailureBudget(FailureLimit limit, std::uint64_t sourceSamples)
      : m_limit(limit), m_samples(sourceSamples) {}
  /// A source that is still being listed is looked through when a share of its samples is to be
  /// known: not before something failed.
  FailureBudget(FailureLimit limit, std::shared_ptr<const Source> source)
      : m_limit(limit), m_source(std::move(source)) {}

  /// Notes that the sample at `index` failed in `node`. The error, once: the budget is used up.
  Status record(std::uint32_t index, const std::string& node, const std::string& sample,
                const std::string& reason);
  /// Whether this sample failed before.
  bool known(std::uint32_t index) const;
  std::uint64_t failedSamples() const;
  /// Failures from position `from` on, in the order in which they happened.
  std::vector<FailedSample> failures(std::size_t from = 0) const;

 private:
  // Constant after construction.
  const FailureLimit m_limit;
  const std::uint64_t m_samples = 0;
  const std::shared_ptr<const Source> m_source;  ///< nullptr: m_samples are all

  /// Of the source; 0: not known yet.
  std::uint64_t samples() const;
  bool usedUp() const MILLRACE_REQUIRES(m_mutex);
  std::string howMany() const MILLRACE_REQUIRES(m_mutex);

  mutable Mutex m_mutex;
  bool m_usedUp MILLRACE_GUARDED_BY(m_mutex) = false;
  std::unordered_set<std::uint32_t> m_failed MILLRACE_GUARDED_BY(m_mutex);
  std::vector<FailedSample> m_kept MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace millrace
