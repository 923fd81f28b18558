// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/run/page_cache_plan.h"

#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/monitor/page_cache.h"
#include "core/tune/page_cache_control.h"

namespace millrace {

namespace {

constexpr double kReadSeconds = 15;         ///< time limit for reading data into the page cache
constexpr std::size_t kMostFiles = 100000;  ///< files dropped by default; takes about a second
/// Data this small may be read completely before it can be measured, and stays in memory anyway.
constexpr std::uintmax_t kSmallBytes = 256U << 20U;

std::filesystem::path fileOf(const Source& source, std::size_t i) {
  return source.file(static_cast<std::uint32_t>(i));
}

/// Whether all files together are that small. A file of many samples counts once if its samples are
/// listed consecutively.
bool isSmall(const Source& source) {
  std::uintmax_t bytes = 0;
  std::filesystem::path before;
  for (std::size_t i = 0; i < source.size() && bytes < kSmallBytes; ++i) {
    std::filesystem::path file = fileOf(source, i);
    if (file == before) continue;
    std::error_code ignored;
    const std::uintmax_t size = std::filesystem::file_size(file, ignored);
    if (!ignored) bytes += size;
    before = std::move(file);
  }
  return bytes < kSmallBytes;
}

}  // namespace

PageCachePlan::PageCachePlan(std::shared_ptr<const Source> source, PageCacheRequest request)
    : m_source(std::move(source)) {
  probe();
  m_found = m_state;
  const bool known = m_found != nameOf(PageCacheState::Unknown);
  const bool cold = m_found == nameOf(PageCacheState::Cold);
  const bool warm = m_found == nameOf(PageCacheState::Warm);
  if (!known) return;
  if (request == PageCacheRequest::Cold) {
    m_way = Way::DropEach;
  } else if (request == PageCacheRequest::AsFound && cold) {
    if (m_source->size() <= kMostFiles) m_way = isSmall(*m_source) ? Way::ReadOnce : Way::DropEach;
  } else if (!warm) {
    m_way = Way::ReadOnce;
  }
}

void PageCachePlan::probe() {
  const PageCacheReport report =
      probePageCache(m_source->size(), [this](std::size_t i) { return fileOf(*m_source, i); });
  m_state = nameOf(report.state);
  m_residentShare = report.residentShare;
}

std::optional<double> PageCachePlan::prepare() {
  if (m_way == Way::Leave || m_done) return m_residentShare;
  const auto file = [this](std::size_t i) { return fileOf(*m_source, i); };
  if (m_way == Way::DropEach) {
    dropFromPageCache(m_source->size(), file, m_stop);
  } else {
    readIntoPageCache(m_source->size(), file, kReadSeconds, m_stop);
    m_done = true;
  }
  if (!m_stop) probe();
  return m_residentShare;
}

std::string PageCachePlan::text() const {
  if (m_found == nameOf(PageCacheState::Unknown)) return {};
  switch (m_way) {
    case Way::Leave: return fmt::format("Page cache: {}, as it was found.", m_found);
    case Way::ReadOnce:
      return fmt::format("Page cache: {} at the start; read once, then {}.", m_found, m_state);
    case Way::DropEach: break;
  }
  return fmt::format("Page cache: {} at the start; dropped before each run, then {}.", m_found,
                     m_state);
}

}  // namespace millrace
