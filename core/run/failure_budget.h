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

/// How many distinct samples may fail (docs/reference/failures.md): a number of samples, or a
/// fraction of all samples of the source.
struct FailureLimit {
  std::optional<std::uint64_t> count;
  double share = 0.01;  ///< fraction in 0..1; used if `count` is not set

  /// Accepts "37" or "2.5%"; the error says what is expected.
  static Result<FailureLimit> parse(const std::string& text);
  /// A fraction above 0 allows at least one sample: one broken file does not end a run of few.
  std::uint64_t allowed(std::uint64_t sourceSamples) const;
  /// As a user reads it: "37" or "2.5 %".
  std::string text() const;
};

struct FailedSample {
  std::string sample;  ///< name of the sample in its source; any bytes
  std::string reason;  ///< "decode: truncated after 18 231 bytes"
};

/// Counts the failed samples of a run and records the reason for each. Thread-safe (monitor).
class FailureBudget {
 public:
  /// All failures are counted; reasons are recorded for the first kKept samples only.
  static constexpr std::size_t kKept = 1000;

  FailureBudget(FailureLimit limit, std::uint64_t sourceSamples)
      : m_limit(limit), m_samples(sourceSamples) {}
  /// For a source that may still be scanned. If the limit is a fraction, the scan is completed at
  /// the first failure that could exceed it.
  FailureBudget(FailureLimit limit, std::shared_ptr<const Source> source)
      : m_limit(limit), m_source(std::move(source)) {}

  /// Records that the sample at `index` failed in `node`. The same sample counts once. The error is
  /// returned once, when the limit is exceeded.
  Status record(std::uint32_t index, const std::string& node, const std::string& sample,
                const std::string& reason);
  /// Whether this sample has failed before.
  bool known(std::uint32_t index) const;
  std::uint64_t failedSamples() const;
  bool limitExceeded() const;
  /// Recorded failures from position `from` on, oldest first.
  std::vector<FailedSample> failures(std::size_t from = 0) const;

 private:
  // Constant after construction.
  const FailureLimit m_limit;
  const std::uint64_t m_samples = 0;
  const std::shared_ptr<const Source> m_source;  ///< nullptr: m_samples is the total

  /// Samples of the source; 0 if not known yet.
  std::uint64_t samples() const;
  bool usedUp() const MILLRACE_REQUIRES(m_mutex);
  std::string exceeded() const MILLRACE_REQUIRES(m_mutex);

  mutable Mutex m_mutex;
  bool m_usedUp MILLRACE_GUARDED_BY(m_mutex) = false;
  std::unordered_set<std::uint32_t> m_failed MILLRACE_GUARDED_BY(m_mutex);
  std::vector<FailedSample> m_kept MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace millrace
