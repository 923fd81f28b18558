// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/npy/zip_directory.h"

#include <algorithm>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "core/base/little_endian.h"
#include "core/base/text/text.h"
#include "core/formats/io/unpacked_file.h"

namespace millrace {

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::uint32_t kMember = 0x02014b50;
constexpr std::uint32_t kLocal = 0x04034b50;
constexpr std::uint32_t kEnd = 0x06054b50;
constexpr std::uint32_t kEnd64 = 0x06064b50;
constexpr std::uint32_t kEnd64Place = 0x07064b50;
constexpr std::size_t kMemberHead = 46;
constexpr std::size_t kLocalHead = 30;
constexpr std::size_t kEndHead = 22;
/// A larger directory is not one of arrays.
constexpr std::uint64_t kLargestDirectory = std::uint64_t{16} << 20U;

template <class T>
T at(Bytes bytes, std::size_t offset) {
  return littleEndian<T>(bytes.data() + offset);
}

Error damaged() { return Error{"the directory of the archive is damaged or truncated"}; }

Result<std::vector<std::byte>> bytesAt(const OpenFile& file, std::uint64_t offset,
                                       std::uint64_t count) {
  if (offset > file.size || count > file.size - offset || count > kLargestDirectory)
    return damaged();
  std::vector<std::byte> bytes(static_cast<std::size_t>(count));
  MILLRACE_ASSIGN_OR_RETURN(const auto got,
                            readAt(file.fd.get(), offset, bytes.data(), bytes.size()));
  if (got < bytes.size()) return damaged();
  return bytes;
}

struct Directory {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// The directory of an archive that exceeds 32-bit numbers.
Result<Directory> directory64(const OpenFile& file, std::uint64_t endHead) {
  constexpr std::uint64_t kPlaceBytes = 20;
  constexpr std::uint64_t kEnd64Bytes = 56;
  if (endHead < kPlaceBytes) return damaged();
  const auto place = bytesAt(file, endHead - kPlaceBytes, kPlaceBytes);
  if (!place || at<std::uint32_t>(*place, 0) != kEnd64Place) return damaged();
  const auto end = bytesAt(file, at<std::uint64_t>(*place, 8), kEnd64Bytes);
  if (!end || at<std::uint32_t>(*end, 0) != kEnd64) return damaged();
  return Directory{at<std::uint64_t>(*end, 48), at<std::uint64_t>(*end, 40)};
}

/// Searches from the end of the file, because a comment follows the last header.
Result<Directory> findDirectory(const OpenFile& file) {
  const std::uint64_t tail = std::min<std::uint64_t>(file.size, kEndHead + 0xffff);
  const std::uint64_t from = file.size - tail;
  MILLRACE_ASSIGN_OR_RETURN(const auto bytes, bytesAt(file, from, tail));
  for (std::size_t i = tail < kEndHead ? 0 : tail - kEndHead + 1; i-- > 0;) {
    if (at<std::uint32_t>(bytes, i) != kEnd) continue;
    const Directory found{at<std::uint32_t>(bytes, i + 16), at<std::uint32_t>(bytes, i + 12)};
    if (found.offset == UINT32_MAX || found.size == UINT32_MAX ||
        at<std::uint16_t>(bytes, i + 10) == UINT16_MAX)
      return directory64(file, from + i);
    return found;
  }
  return damaged();
}

/// Replaces sizes that exceed 32 bits by those in the zip64 field (APPNOTE 4.5.3).
bool readZip64(Bytes extra, ZipMember& member) {
  const auto wanted = {&member.size, &member.packedSize, &member.head};
  if (std::none_of(wanted.begin(), wanted.end(), [](const auto* v) { return *v == UINT32_MAX; }))
    return true;
  while (extra.size() >= 4) {
    const std::size_t length = at<std::uint16_t>(extra, 2);
    if (length > extra.size() - 4) return false;
    Bytes field = extra.subspan(4, length);
    if (at<std::uint16_t>(extra, 0) == 1) {
      for (std::uint64_t* value : wanted) {
        if (*value != UINT32_MAX) continue;
        if (field.size() < 8) return false;
        *value = at<std::uint64_t>(field, 0);
        field = field.subspan(8);
      }
      return true;
    }
    extra = extra.subspan(4 + length);
  }
  return false;
}

/// Removes the member at the front; nullopt if there is none.
std::optional<ZipMember> takeMember(Bytes& from) {
  if (from.size() < kMemberHead || at<std::uint32_t>(from, 0) != kMember) return std::nullopt;
  const std::size_t name = at<std::uint16_t>(from, 28);
  const std::size_t extra = at<std::uint16_t>(from, 30);
  const std::size_t comment = at<std::uint16_t>(from, 32);
  const std::size_t whole = kMemberHead + name + extra + comment;
  if (whole > from.size()) return std::nullopt;
  ZipMember member;
  member.method = at<std::uint16_t>(from, 10);
  member.crc = at<std::uint32_t>(from, 16);
  member.packedSize = at<std::uint32_t>(from, 20);
  member.size = at<std::uint32_t>(from, 24);
  member.head = at<std::uint32_t>(from, 42);
  member.name.assign(reinterpret_cast<const char*>(from.data()) + kMemberHead, name);
  if (!readZip64(from.subspan(kMemberHead + name, extra), member)) return std::nullopt;
  from = from.subspan(whole);
  return member;
}

}  // namespace

Result<std::vector<ZipMember>> readZipDirectory(const OpenFile& file) {
  MILLRACE_ASSIGN_OR_RETURN(const auto found, findDirectory(file));
  MILLRACE_ASSIGN_OR_RETURN(const auto bytes, bytesAt(file, found.offset, found.size));
  std::vector<ZipMember> members;
  for (Bytes rest = bytes; !rest.empty();) {
    auto member = takeMember(rest);
    if (!member) return damaged();
    members.push_back(std::move(*member));
  }
  return members;
}

Result<std::uint64_t> zipContent(const OpenFile& file, const ZipMember& member) {
  const auto head = bytesAt(file, member.head, kLocalHead);
  if (!head || at<std::uint32_t>(*head, 0) != kLocal) return damaged();
  if ((at<std::uint16_t>(*head, 6) & 1U) != 0) return Error{"it is encrypted"};
  const std::uint64_t begin =
      member.head + kLocalHead + at<std::uint16_t>(*head, 26) + at<std::uint16_t>(*head, 28);
  if (begin > file.size || member.packedSize > file.size - begin)
    return Error{fmt::format("it is truncated: the file ends at byte {}", grouped(file.size))};
  return begin;
}

Result<OpenFile> unpackZipMember(const OpenFile& file, const ZipMember& member) {
  if (member.method != ZipMember::kDeflated)
    return Error{fmt::format("compression method {} is not supported; np.savez does not compress",
                             member.method)};
  MILLRACE_ASSIGN_OR_RETURN(const auto begin, zipContent(file, member));
  return inflated(file, {begin, member.packedSize, member.size, member.crc});
}

}  // namespace millrace
