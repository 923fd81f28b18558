// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tar/tar_walk.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/file_error.h"

namespace millrace {

namespace {

/// Longer names and pax records are treated as damage.
constexpr std::uint64_t kLongestName = std::uint64_t{1} << 20U;

/// A header field, up to its first zero.
std::string_view textAt(const std::byte* block, std::size_t at, std::size_t most) {
  const auto* text = reinterpret_cast<const char*>(block) + at;
  return {text, ::strnlen(text, most)};
}

/// Parses octal digits with optional spaces, or GNU's base 256 for larger numbers.
std::optional<std::uint64_t> numberAt(const std::byte* block, std::size_t at, std::size_t width) {
  const auto byte = [&](std::size_t i) { return std::to_integer<std::uint64_t>(block[at + i]); };
  std::uint64_t value = 0;
  if (byte(0) == 0x80U) {
    for (std::size_t i = 1; i < width; ++i) {
      if (value >> 54U != 0) return std::nullopt;
      value = value << 8U | byte(i);
    }
    return value;
  }
  const std::string_view digits = trimmed(textAt(block, at, width));
  if (digits.empty()) return 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 8);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

bool isZero(const std::byte* block) {
  return std::all_of(block, block + TarWalk::kBlock, [](std::byte b) { return b == std::byte{0}; });
}

/// Calls `take(key, value)` for each "LENGTH KEY=VALUE\n"; false if the text is malformed.
template <class Take>
bool eachPaxRecord(std::string_view text, Take take) {
  while (!text.empty()) {
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
    const auto digits = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || length > text.size() || length < digits + 3) return false;
    const std::string_view record = text.substr(digits + 1, length - digits - 2);
    const std::size_t equals = record.find('=');
    if (text[digits] != ' ' || text[length - 1] != '\n' || equals == std::string_view::npos)
      return false;
    take(record.substr(0, equals), record.substr(equals + 1));
    text.remove_prefix(length);
  }
  return true;
}

std::string nameOf(const std::byte* block) {
  std::string name(textAt(block, 0, 100));
  // GNU's headers have "ustar  " and different content in place of the prefix.
  const bool posix = std::memcmp(block + 257, "ustar\0", 6) == 0;
  const std::string_view prefix = posix ? textAt(block, 345, 155) : std::string_view{};
  return prefix.empty() ? name : std::string(prefix) + "/" + name;
}

}  // namespace

bool isTarHead(const std::byte* block) {
  const auto stored = numberAt(block, 148, 8);
  if (!stored || isZero(block)) return false;
  std::uint64_t sum = 0;
  std::int64_t asSigned = 0;  // some old writers summed signed bytes
  for (std::size_t i = 0; i < TarWalk::kBlock; ++i) {
    const bool inSum = i >= 148 && i < 156;
    const auto value = inSum ? std::uint8_t{' '} : std::to_integer<std::uint8_t>(block[i]);
    sum += value;
    asSigned += static_cast<std::int8_t>(value);
  }
  return *stored == sum || static_cast<std::int64_t>(*stored) == asSigned;
}

TarWalk::TarWalk(int fd, std::uint64_t size) : m_size(size), m_window(fd) {}

void TarWalk::note(std::string sentence) {
  if (m_damage.size() < kMostDamageNotes) m_damage.push_back(std::move(sentence));
}

/// Skips a header and its content, which occupies whole blocks.
void TarWalk::pass(std::uint64_t content) {
  m_at += kBlock + (content + kBlock - 1) / kBlock * kBlock;
}

/// The header at the current position; nullptr at the end of the archive.
Result<const std::byte*> TarWalk::head() {
  if (m_at + kBlock > m_size) {
    if (m_at < m_size) note(fmt::format("ends within a header at byte {}", grouped(m_at)));
    m_at = m_size;
    return nullptr;
  }
  return m_window.at(m_at, kBlock, m_shortMembers);
}

/// Skips to the next block that is a header.
Status TarWalk::passDamage() {
  const std::uint64_t from = m_at;
  for (m_at += kBlock; m_at + kBlock <= m_size; m_at += kBlock) {
    MILLRACE_ASSIGN_OR_RETURN(const auto block, m_window.at(m_at, kBlock, true));
    if (block == nullptr) break;
    if (!isTarHead(block)) continue;
    note(fmt::format("no tar header at byte {}: {} bytes left out, up to the next one",
                     grouped(from), grouped(m_at - from)));
    return {};
  }
  note(fmt::format("no tar header at byte {} or after it", grouped(from)));
  m_at = m_size;
  return {};
}

/// Parses a header that describes the next one: a GNU long name or pax records. Returns false for
/// headers of other types.
Result<bool> TarWalk::takeLong(char type, std::uint64_t size, Long& said) {
  if (type != 'L' && type != 'x') return false;
  const std::uint64_t at = m_at;
  if (size > kLongestName) {
    note(fmt::format("a name of {} bytes at byte {}", grouped(size), grouped(at)));
    return true;
  }
  MILLRACE_ASSIGN_OR_RETURN(const auto bytes,
                            m_window.at(at + kBlock, static_cast<std::size_t>(size), true));
  if (bytes == nullptr) return true;
  const std::string_view text(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  if (type == 'L') {
    said.name = text.substr(0, text.find('\0'));
    return true;
  }
  const bool sound = eachPaxRecord(text, [&](std::string_view key, std::string_view value) {
    if (key == "path") said.name = value;
    if (key != "size") return;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), said.size);
    said.hasSize = error == std::errc() && end == value.data() + value.size();
  });
  if (!sound) note(fmt::format("damaged pax records at byte {}", grouped(at)));
  return true;
}

Result<bool> TarWalk::next(TarMember& member) {
  Long said;
  while (!m_done) {
    MILLRACE_ASSIGN_OR_RETURN(const auto block, head());
    if (block == nullptr || isZero(block)) break;
    const auto stored = numberAt(block, 124, 12);
    if (!stored || !isTarHead(block)) {
      MILLRACE_TRY(passDamage());
      said = {};
      continue;
    }
    const char type = static_cast<char>(std::to_integer<unsigned char>(block[156]));
    const bool isLong = type == 'L' || type == 'x' || type == 'K' || type == 'g';
    const std::uint64_t size = said.hasSize && !isLong ? said.size : *stored;
    std::string name = said.name.empty() || isLong ? nameOf(block) : said.name;
    if (size > m_size - m_at - kBlock) {
      note(fmt::format("ends within {} at byte {}: {} of its {} bytes are there", validUtf8(name),
                       grouped(m_at), grouped(m_size - m_at - kBlock), grouped(size)));
      break;
    }
    const std::uint64_t at = m_at;
    MILLRACE_TRY(takeLong(type, size, said));
    pass(size);
    m_shortMembers = size < FileWindow::kShort;
    if (isLong) continue;
    said = {};
    if (type == '0' || type == '\0' || type == '7') {
      member = {std::move(name), at + kBlock, size};
      return true;
    }
    m_links += type == '1' || type == '2' ? 1 : 0;
    if (type == 'S') note(fmt::format("{}: sparse files are not supported", validUtf8(name)));
  }
  m_done = true;
  return false;
}

}  // namespace millrace
