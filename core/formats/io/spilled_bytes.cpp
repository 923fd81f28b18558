// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/spilled_bytes.h"

#include <algorithm>
#include <cstring>

#include "core/formats/io/growing_file.h"
#include "core/formats/io/open_file.h"
#include "core/formats/io/temporary_file.h"

namespace millrace {

namespace {

/// Bytes that are passed to the file at once.
constexpr std::size_t kAtOnce = std::size_t{128} << 10U;

}  // namespace

/// Moves the bytes to a file; false: they stay in memory.
bool SpilledBytes::spill() {
  if (m_fd.valid()) return true;
  if (m_staysInMemory) return false;
  auto file = temporaryFile();
  if (file) m_fd = file.take();
  if (m_fd.valid()) flush();
  m_staysInMemory = !m_fd.valid();
  if (m_fd.valid()) m_waiting.shrink_to_fit();
  return m_fd.valid();
}

void SpilledBytes::flush() {
  if (m_waiting.empty()) return;
  if (writeAt(m_fd.get(), m_written, m_waiting) != 0) {
    keepInMemory();
    return;
  }
  m_written += m_waiting.size();
  m_waiting.clear();
}

/// What to do when the disk is full.
void SpilledBytes::keepInMemory() {
  std::vector<std::byte> all(size());
  read(0, all);
  m_waiting = std::move(all);
  m_written = 0;
  m_fd = UniqueFd();
  m_staysInMemory = true;
}

void SpilledBytes::append(std::span<const std::byte> bytes) {
  m_waiting.insert(m_waiting.end(), bytes.begin(), bytes.end());
  if (m_fd.valid() ? m_waiting.size() >= kAtOnce : m_waiting.size() > m_inMemory)
    if (spill()) flush();
}

void SpilledBytes::grow(std::uint64_t size) {
  const std::vector<std::byte> zeros(std::min<std::uint64_t>(kAtOnce, size));
  while (this->size() < size)
    append(std::span(zeros).first(std::min<std::uint64_t>(zeros.size(), size - this->size())));
}

void SpilledBytes::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  if (m_fd.valid() && offset < m_written) {
    flush();
    if (m_fd.valid() && writeAt(m_fd.get(), offset, bytes) == 0) return;
    if (m_fd.valid()) keepInMemory();
  }
  std::memcpy(m_waiting.data() + (offset - m_written), bytes.data(), bytes.size());
}

void SpilledBytes::read(std::uint64_t offset, std::span<std::byte> bytes) const {
  const std::size_t inFile =
      offset < m_written ? std::min<std::uint64_t>(bytes.size(), m_written - offset) : 0;
  if (inFile > 0) {
    const auto got = readAt(m_fd.get(), offset, bytes.data(), inFile);
    if (!got || *got < inFile) {
      std::atomic_ref<bool>(m_failed).store(true);
      std::ranges::fill(bytes.first(inFile), std::byte{0});
    }
  }
  if (inFile == bytes.size()) return;
  std::memcpy(bytes.data() + inFile, m_waiting.data() + (offset + inFile - m_written),
              bytes.size() - inFile);
}

}  // namespace millrace
