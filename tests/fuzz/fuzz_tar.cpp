// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A tar archive of samples. Every part lies within the file and after the one before it.
#include <cstring>
#include <string>

#include "core/formats/tar/web_shard.h"
#include "tests/fuzz/memory_file.h"

namespace {

using namespace millrace;  // NOLINT(google-build-using-namespace): a separate program

void walk(const OpenFile& file) {
  TarWalk members(file.fd.get(), file.size);
  std::uint64_t end = 0;
  for (TarMember member;;) {
    const auto more = members.next(member);
    if (!more) std::abort();
    if (!*more) break;
    if (member.offset < end || member.offset + member.size > file.size) std::abort();
    end = member.offset + member.size;
  }
  TarWalk again(file.fd.get(), file.size);
  WebShard shard({{"jpg", "png"}, {"cls"}});
  while (!shard.done())
    if (!shard.advance(again, 2)) std::abort();
  for (std::size_t i = 0; i < shard.samples(); ++i) {
    if (shard.key(i).empty()) std::abort();
    for (std::size_t part = 0; part < 2; ++part) {
      const WebShard::Place place = shard.place(i, part);
      if (place.present() && place.offset + place.size > file.size) std::abort();
    }
  }
  if (!surveyShard(file.fd.get(), file.size, 4)) std::abort();
}

/// Corrects every block's checksum; otherwise hardly any input would have a second header.
void repairSums(std::string& bytes) {
  for (std::size_t at = 0; at + TarWalk::kBlock <= bytes.size(); at += TarWalk::kBlock) {
    bytes.replace(at + 148, 8, 8, ' ');
    unsigned sum = 0;
    for (std::size_t i = 0; i < TarWalk::kBlock; ++i)
      sum += static_cast<unsigned char>(bytes[at + i]);
    char text[8];
    std::snprintf(text, sizeof text, "%06o", sum);
    bytes.replace(at + 148, 7, std::string(text, 7));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  walk(fuzz::memoryFile(data, size));
  std::string bytes(reinterpret_cast<const char*>(data), size);
  repairSums(bytes);
  walk(fuzz::memoryFile(reinterpret_cast<const std::uint8_t*>(bytes.data()), size));
  return 0;
}
