// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/data/buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>

namespace millrace {

void Buffer::Free::operator()(std::byte* data) const {
  if (source)
    source->give(data);
  else
    ::operator delete[](data, std::align_val_t{kAlignment});
}

namespace {

/// Requests pages of 2 MiB, which need 512 times fewer TLB entries than pages of 4 KiB; batches are
/// far larger than the TLB covers with small pages. It is only a request, and only works if the
/// system allows programs to make it.
void askForLargePages(std::byte* data, std::size_t bytes) {
  constexpr std::uintptr_t kPage = std::uintptr_t{1} << 21U;
  const auto at = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t begin = (at + kPage - 1) / kPage * kPage;
  const std::uintptr_t end = (at + bytes) / kPage * kPage;
  if (end > begin) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace

std::unique_ptr<std::byte[], Buffer::Free> Buffer::allocate(std::size_t bytes) const {
  if (m_source)
    if (std::byte* const data = m_source->take(bytes)) return {data, Free{m_source}};
  auto* const data = static_cast<std::byte*>(::operator new[](bytes, std::align_val_t{kAlignment}));
  askForLargePages(data, bytes);
  return {data, Free{}};
}

std::byte* Buffer::reserve(std::size_t bytes) { return grow(bytes, 0); }

std::byte* Buffer::grow(std::size_t bytes, std::size_t kept) {
  if (bytes <= m_capacity && m_data) return m_data.get();
  const std::size_t capacity = std::max(bytes, m_capacity + m_capacity / 2);
  std::unique_ptr<std::byte[], Free> larger = allocate(capacity + kPadding);
  std::memset(larger.get() + capacity, 0, kPadding);
  if (kept > 0) std::memcpy(larger.get(), m_data.get(), kept);
  m_data = std::move(larger);
  m_capacity = capacity;
  return m_data.get();
}

}  // namespace millrace
