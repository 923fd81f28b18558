// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/failure_budget.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

Result<FailureLimit> FailureLimit::parse(const std::string& text) {
  const Error wrong{
      fmt::format("`{}` is not a failure limit: expected a number of samples such as 20 "
                  "or a percentage such as 1%",
                  text)};
  FailureLimit limit;
  const bool isShare = !text.empty() && text.back() == '%';
  const char* end = text.data() + text.size() - (isShare ? 1 : 0);
  double number = 0;
  const auto [stopped, code] = std::from_chars(text.data(), end, number);
  constexpr double kMost = 1e15;  // whole numbers up to here are exact
  if (code != std::errc{} || stopped != end || !(number >= 0 && number <= kMost)) return wrong;
  if (isShare && number > 100) return wrong;
  if (!isShare && number != std::floor(number)) return wrong;
  if (isShare)
    limit.share = number / 100;
  else
    limit.count = static_cast<std::uint64_t>(number);
  return limit;
}

std::uint64_t FailureLimit::allowed(std::uint64_t sourceSamples) const {
  if (count) return *count;
  if (share <= 0) return 0;
  // The factor corrects rounding: 29 % of 100 is 29, but 0.29 * 100 is slightly less.
  const double part = share * static_cast<double>(sourceSamples) * (1 + 1e-12);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(part));
}

std::string FailureLimit::text() const {
  return count ? std::to_string(*count) : fmt::format("{:g} %", share * 100);
}

std::uint64_t FailureBudget::samples() const {
  if (m_source == nullptr) return m_samples;
  return m_source->listed() ? m_source->size() : 0;
}

bool FailureBudget::usedUp() const {
  const std::uint64_t failed = m_failed.size();
  if (m_limit.count || m_source == nullptr) return failed > m_limit.allowed(m_samples);
  // For a source that is still being scanned, the samples known so far may be enough.
  return failed > m_limit.allowed(m_source->atLeast(1)) &&
         failed > m_limit.allowed(m_source->size());
}

/// Without the number of failures, which still grows while the run ends.
std::string FailureBudget::exceeded() const {
  const std::uint64_t all = samples();
  const std::uint64_t allowed = m_limit.allowed(all);
  const std::string limit = m_limit.count && allowed > 0 ? "" : ", limit " + m_limit.text();
  if (allowed == 0) return "a sample failed" + limit;
  if (all == 0) return fmt::format("more than {} failed{}", counted(allowed, "sample"), limit);
  return fmt::format("more than {} of {} failed{}", allowed, counted(all, "sample"), limit);
}

Status FailureBudget::record(std::uint32_t index, const std::string& node,
                             const std::string& sample, const std::string& reason) {
  const MutexLock lock(m_mutex);
  if (!m_failed.insert(index).second) return {};
  if (m_kept.size() < kKept) m_kept.push_back({sample, node + ": " + reason});
  if (m_usedUp || !usedUp()) return {};
  m_usedUp = true;
  return Error{fmt::format("{}: {}; first: {}: {}", node, exceeded(),
                           validUtf8(m_kept.front().sample), m_kept.front().reason)};
}

bool FailureBudget::limitExceeded() const {
  const MutexLock lock(m_mutex);
  return m_usedUp;
}

bool FailureBudget::known(std::uint32_t index) const {
  const MutexLock lock(m_mutex);
  return m_failed.count(index) > 0;
}

std::uint64_t FailureBudget::failedSamples() const {
  const MutexLock lock(m_mutex);
  return m_failed.size();
}

std::vector<FailedSample> FailureBudget::failures(std::size_t from) const {
  const MutexLock lock(m_mutex);
  if (from >= m_kept.size()) return {};
  return {m_kept.begin() + static_cast<std::ptrdiff_t>(from), m_kept.end()};
}

}  // namespace millrace
