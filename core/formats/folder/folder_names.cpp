// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/folder_names.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace millrace {

namespace {

/// More than a name takes.
constexpr std::size_t kLeastRead = 1024;

}  // namespace

void NamesInMemory::add(std::string_view name) {
  m_entries.push_back({0, m_text.size()});
  m_text.insert(m_text.end(), name.begin(), name.end());
  m_text.push_back('\0');
}

void NamesInMemory::sort() {
  const std::size_t shared = sharedPrefix();
  for (Entry& entry : m_entries) entry.key = keyAt(entry.offset + shared);
  std::sort(m_entries.begin(), m_entries.end(), [this](const Entry& a, const Entry& b) {
    if (a.key != b.key) return a.key < b.key;
    return std::strcmp(text(a), text(b)) < 0;
  });
}

/// Length of the prefix that all names share: comparing the eight bytes after it as one integer
/// avoids most accesses to the names.
std::size_t NamesInMemory::sharedPrefix() const {
  if (m_entries.empty()) return 0;
  const char* first = text(m_entries.front());
  std::size_t shared = std::strlen(first);
  for (const Entry& entry : m_entries) {
    const char* name = text(entry);
    std::size_t i = 0;
    while (i < shared && name[i] == first[i]) ++i;
    shared = i;
  }
  return shared;
}

/// The eight bytes at `offset`, the first most significant, zeros after the end.
std::uint64_t NamesInMemory::keyAt(std::size_t offset) const {
  std::uint64_t key = 0;
  bool ended = false;
  for (std::size_t i = 0; i < 8; ++i) {
    const auto byte = ended ? std::uint8_t{0} : static_cast<std::uint8_t>(m_text[offset + i]);
    ended = ended || byte == 0;
    key = key << 8U | byte;
  }
  return key;
}

void FolderNames::add(std::string_view name, bool isFolder) {
  m_names.add(isFolder ? std::string(name) + '/' : std::string(name));
  if (m_names.bytes() > m_atOnce) writePart();
}

void FolderNames::writePart() {
  m_names.sort();
  Part& part = m_parts.emplace_back();
  part.at = m_sorted.size();
  for (std::size_t i = 0; i < m_names.size(); ++i) {
    const std::string_view name = m_names[i];
    m_sorted.append(std::as_bytes(std::span(name.data(), name.size() + 1)));
  }
  part.end = m_sorted.size();
  m_names = {};
}

void FolderNames::sort() {
  if (m_parts.empty()) {
    m_names.sort();
    return;
  }
  if (m_names.size() > 0) writePart();
  for (std::size_t i = 0; i < m_parts.size(); ++i) {
    fill(m_parts[i]);
    m_order.push_back(i);
  }
  std::ranges::make_heap(m_order, [this](std::size_t a, std::size_t b) { return isLater(a, b); });
}

/// Reads whole names.
void FolderNames::fill(Part& part) const {
  const std::uint64_t most = std::max(m_atOnce / m_parts.size(), kLeastRead);
  part.read.resize(std::min(most, part.end - part.at));
  m_sorted.read(part.at, std::as_writable_bytes(std::span(part.read)));
  while (!part.read.empty() && part.read.back() != '\0') part.read.pop_back();
  part.at += part.read.size();
  part.next = 0;
}

std::optional<std::string_view> FolderNames::next() {
  if (m_parts.empty())
    return m_position < m_names.size() ? std::optional(m_names[m_position++]) : std::nullopt;
  const auto later = [this](std::size_t a, std::size_t b) { return isLater(a, b); };
  if (m_passed) {
    Part& part = m_parts[*m_passed];
    part.next += part.front().size() + 1;
    if (part.isEmpty()) fill(part);
    if (!part.isEmpty()) {
      m_order.push_back(*m_passed);
      std::ranges::push_heap(m_order, later);
    }
    m_passed.reset();
  }
  if (m_order.empty()) return std::nullopt;
  std::ranges::pop_heap(m_order, later);
  m_passed = m_order.back();
  m_order.pop_back();
  return m_parts[*m_passed].front();
}

}  // namespace millrace
