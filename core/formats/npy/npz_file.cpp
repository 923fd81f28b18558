// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/npy/npz_file.h"

#include <isa-l/crc.h>

#include <cstring>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/growing_file.h"
#include "core/formats/io/open_file.h"

namespace millrace {

namespace {

/// A member's entry in the directory.
struct Entry {
  std::string name;
  std::uint32_t crc = 0;
  std::uint64_t size = 0;
  std::uint64_t head = 0;
};

template <class T>
void put(std::string& to, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  to.append(bytes, sizeof value);
}

constexpr std::uint16_t kVersion = 45;     // the version with zip64
constexpr std::uint16_t kFirstDay = 0x21;  // 1980-01-01, so that equal data gives equal archives

/// The common part of a member's two headers (APPNOTE 4.3.7 and 4.3.12), with zip64 sizes.
std::string commonHead(const Entry& entry, std::uint16_t extra) {
  std::string head;
  put<std::uint16_t>(head, kVersion);
  put<std::uint16_t>(head, 0);
  put<std::uint16_t>(head, 0);  // method: stored
  put<std::uint16_t>(head, 0);
  put<std::uint16_t>(head, kFirstDay);
  put<std::uint32_t>(head, entry.crc);
  put<std::uint32_t>(head, UINT32_MAX);
  put<std::uint32_t>(head, UINT32_MAX);
  put<std::uint16_t>(head, static_cast<std::uint16_t>(entry.name.size()));
  put<std::uint16_t>(head, extra);
  return head;
}

std::string localHead(const Entry& entry) {
  std::string head = "PK\x03\x04" + commonHead(entry, 20) + entry.name;
  put<std::uint16_t>(head, 1);
  put<std::uint16_t>(head, 16);
  put(head, entry.size);
  put(head, entry.size);
  return head;
}

std::string directoryHead(const Entry& entry) {
  std::string head = "PK\x01\x02";
  put<std::uint16_t>(head, kVersion);
  head += commonHead(entry, 28);
  head.append(10, '\0');  // no comment, disk 0, no attributes
  put<std::uint32_t>(head, UINT32_MAX);
  head += entry.name;
  put<std::uint16_t>(head, 1);
  put<std::uint16_t>(head, 24);
  put(head, entry.size);
  put(head, entry.size);
  put(head, entry.head);
  return head;
}

/// The end of an archive whose directory starts at `begin`.
std::string endOf(std::uint64_t begin, std::uint64_t size, std::uint64_t members) {
  std::string end = "PK\x06\x06";
  put<std::uint64_t>(end, 44);
  put<std::uint16_t>(end, kVersion);
  put<std::uint16_t>(end, kVersion);
  put<std::uint64_t>(end, 0);
  put(end, members);
  put(end, members);
  put(end, size);
  put(end, begin);
  end += std::string("PK\x06\x07", 4);
  put<std::uint32_t>(end, 0);
  put<std::uint64_t>(end, begin + size);
  put<std::uint32_t>(end, 1);
  end += "PK\x05\x06";
  put<std::uint32_t>(end, 0);
  put<std::uint16_t>(end, static_cast<std::uint16_t>(members));
  put<std::uint16_t>(end, static_cast<std::uint16_t>(members));
  put<std::uint32_t>(end, UINT32_MAX);
  put<std::uint32_t>(end, UINT32_MAX);
  put<std::uint16_t>(end, 0);
  return end;
}

/// Appends the file after its header, and writes its checksum into the header.
Status addMember(GrowingFile& archive, const NpzMember& member, std::vector<Entry>& entries) {
  const auto inFile = [&](const Error& error) {
    return Error{fmt::format("`{}`: {}", validUtf8(member.file.native()), error.message)};
  };
  const auto file = openForReading(member.file);
  if (!file) return inFile(file.error());
  Entry entry{member.name, 0, file->size, archive.size()};
  MILLRACE_TRY(archive.append(localHead(entry)));
  std::vector<std::byte> block(std::size_t{1} << 20U);
  for (std::uint64_t at = 0; at < file->size;) {
    const auto got = readAt(file->fd.get(), at, block.data(), block.size());
    if (!got) return inFile(got.error());
    if (*got == 0) return inFile(Error{"it has become shorter"});
    entry.crc =
        crc32_gzip_refl(entry.crc, reinterpret_cast<const unsigned char*>(block.data()), *got);
    MILLRACE_TRY(archive.append(std::span(block).first(*got)));
    at += *got;
  }
  MILLRACE_TRY(archive.overwrite(entry.head, localHead(entry)));
  entries.push_back(std::move(entry));
  return {};
}

}  // namespace

Result<std::uint64_t> writeNpz(const std::filesystem::path& archive,
                               const std::vector<NpzMember>& members) {
  MILLRACE_ASSIGN_OR_RETURN(auto file, GrowingFile::open(archive));
  std::vector<Entry> entries;
  for (const NpzMember& member : members) MILLRACE_TRY(addMember(file, member, entries));
  const std::uint64_t begin = file.size();
  for (const Entry& entry : entries) MILLRACE_TRY(file.append(directoryHead(entry)));
  MILLRACE_TRY(file.append(endOf(begin, file.size() - begin, entries.size())));
  MILLRACE_TRY(file.close());
  return file.size();
}

}  // namespace millrace
