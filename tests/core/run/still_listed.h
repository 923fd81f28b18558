// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "core/spec/source.h"

namespace millrace::tests {

/// A source that is scanned only as far as requested, like a large container without an
/// index. Any thread.
class StillListed final : public Source {
 public:
  explicit StillListed(std::shared_ptr<const Source> all) : m_all(std::move(all)) {}

  std::uint32_t size() const override {
    m_listed = true;
    return m_all->size();
  }
  std::uint32_t atLeast(std::uint32_t count) const override {
    if (m_listed || count > m_all->size()) return size();
    std::uint32_t known = m_known;
    while (known < count && !m_known.compare_exchange_weak(known, count)) {
    }
    return std::max(known, count);
  }
  bool listed() const override { return m_listed; }

  std::vector<FieldSpec> fields() const override { return m_all->fields(); }
  std::string name(std::uint32_t index) const override { return m_all->name(index); }
  std::int64_t labelOf(std::uint32_t index) const override { return m_all->labelOf(index); }
  std::unique_ptr<SourceReader> reader() const override { return m_all->reader(); }

  std::uint32_t known() const { return m_known; }

 private:
  const std::shared_ptr<const Source> m_all;
  mutable std::atomic<std::uint32_t> m_known{0};
  mutable std::atomic<bool> m_listed{false};
};

}  // namespace millrace::tests
