// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/tiff_pages.h"

#include <array>
#include <optional>
#include <unordered_set>

namespace millrace {

namespace {

/// How a file writes its numbers.
struct TiffNumbers {
  bool big = false;   ///< BigTIFF: offsets of 64 bits
  bool high = false;  ///< the high byte first

  std::size_t offsetBytes() const { return big ? 8 : 4; }
  std::size_t firstOffset() const { return big ? 8 : 4; }
  std::size_t countBytes() const { return big ? 8 : 2; }
  std::size_t entryBytes() const { return big ? 20 : 12; }

  std::uint64_t of(std::span<const std::byte> bytes) const {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
      value = value << 8U | std::to_integer<std::uint64_t>(bytes[high ? i : bytes.size() - 1 - i]);
    return value;
  }
  void put(std::uint64_t value, std::span<std::byte> bytes) const {
    for (std::size_t i = 0; i < bytes.size(); ++i, value >>= 8U)
      bytes[high ? bytes.size() - 1 - i : i] = static_cast<std::byte>(value & 0xffU);
  }
};

std::optional<TiffNumbers> numbersOf(std::span<const std::byte> head) {
  if (head.size() < 8 || head[0] != head[1]) return std::nullopt;
  TiffNumbers numbers;
  numbers.high = head[0] == std::byte{'M'};
  if (!numbers.high && head[0] != std::byte{'I'}) return std::nullopt;
  const std::uint64_t version = numbers.of(head.subspan(2, 2));
  numbers.big = version == 43;
  if (version != 42 && !numbers.big) return std::nullopt;
  return numbers;
}

/// Reads one number; nullopt at the end of the file.
std::optional<std::uint64_t> numberAt(const ReadBytes& read, const TiffNumbers& numbers,
                                      std::uint64_t offset, std::size_t bytes) {
  std::array<std::byte, 8> memory{};
  const std::span<std::byte> to = std::span(memory).first(bytes);
  if (read(offset, to) != bytes) return std::nullopt;
  return numbers.of(to);
}

struct TiffDirectory {
  std::uint64_t next = 0;       ///< offset of the next one; 0: none
  std::uint64_t nextPlace = 0;  ///< where that is stored
  bool isPage = true;
};

std::optional<TiffDirectory> directoryAt(const ReadBytes& read, const TiffNumbers& numbers,
                                         std::uint64_t offset) {
  constexpr std::uint64_t kMostEntries = 4096;
  constexpr std::uint64_t kSubfileType = 254;  // The lowest tag in use, and tags are in order.
  constexpr std::uint64_t kSmallerOrMask = 1 | 4;
  const auto entries = numberAt(read, numbers, offset, numbers.countBytes());
  if (!entries || *entries == 0 || *entries > kMostEntries) return std::nullopt;
  TiffDirectory directory;
  const std::uint64_t first = offset + numbers.countBytes();
  directory.nextPlace = first + *entries * numbers.entryBytes();
  const auto tag = numberAt(read, numbers, first, 2);
  if (tag == kSubfileType) {
    const auto kind = numberAt(read, numbers, first + (numbers.big ? 12 : 8), 4);
    directory.isPage = (kind.value_or(0) & kSmallerOrMask) == 0;
  }
  directory.next = numberAt(read, numbers, directory.nextPlace, numbers.offsetBytes()).value_or(0);
  return directory;
}

}  // namespace

std::vector<std::uint64_t> tiffPages(const ReadBytes& read, std::size_t most) {
  std::array<std::byte, 8> head{};
  if (read(0, head) != head.size()) return {};
  const auto numbers = numbersOf(head);
  if (!numbers) return {};
  std::vector<std::uint64_t> pages;
  std::unordered_set<std::uint64_t> seen;
  std::uint64_t at =
      numberAt(read, *numbers, numbers->firstOffset(), numbers->offsetBytes()).value_or(0);
  while (at != 0 && pages.size() < most && seen.size() < kMostPictures && seen.insert(at).second) {
    const auto directory = directoryAt(read, *numbers, at);
    if (!directory) break;
    if (directory->isPage) pages.push_back(at);
    at = directory->next;
  }
  return pages;
}

bool selectTiffPage(std::span<std::byte> file, std::uint64_t directory) {
  const ReadBytes read = bytesOf(file);
  const auto numbers = numbersOf(file);
  if (!numbers) return false;
  const auto found = directoryAt(read, *numbers, directory);
  const std::size_t bytes = numbers->offsetBytes();
  if (!found || found->nextPlace > file.size() || file.size() - found->nextPlace < bytes ||
      numbers->firstOffset() + bytes > file.size())
    return false;
  numbers->put(directory, file.subspan(numbers->firstOffset(), bytes));
  numbers->put(0, file.subspan(found->nextPlace, bytes));
  return true;
}

}  // namespace millrace
