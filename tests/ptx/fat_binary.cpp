// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/ptx/fat_binary.h"

#include <elf.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace millrace::ptx {

namespace {

constexpr std::uint32_t kMagic = 0xba55ed50U;
constexpr std::uint64_t kLz4 = 0x2000;
constexpr std::uint64_t kZstd = 0x8000;

/// The container is undocumented; these are the fields that CUDA 12 and 13 write.
struct Head {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t headBytes;
  std::uint64_t bytes;
};
struct EntryHead {
  std::uint16_t kind;
  std::uint16_t version;
  std::uint32_t headBytes;
  std::uint64_t paddedBytes;
  std::uint32_t packedBytes;
  std::uint32_t unknown;
  std::uint16_t minor;
  std::uint16_t major;
  std::uint32_t architecture;
  std::uint32_t nameAt;
  std::uint32_t nameBytes;
  std::uint64_t flags;
  std::uint64_t zero;
  std::uint64_t unpackedBytes;
};
struct Wrapper {
  std::int32_t magic;
  std::int32_t version;
  const void* data;
  const void* more;
};

[[noreturn]] void damaged(const char* what) {
  (void)std::fprintf(stderr, "PTX device: a fat binary %s\n", what);
  std::abort();
}

template <class T>
T at(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace

FatBinary::FatBinary(const void* wrapper) {
  const auto* const data =
      static_cast<const std::byte*>(static_cast<const Wrapper*>(wrapper)->data);
  const auto head = at<Head>(data);
  if (head.magic != kMagic) damaged("has another magic number");
  std::size_t place = head.headBytes;
  while (place < head.headBytes + head.bytes) {
    const auto entry = at<EntryHead>(data + place);
    const bool packed = (entry.flags & (kLz4 | kZstd)) != 0;
    const std::size_t bytes = packed ? entry.packedBytes : entry.paddedBytes;
    if (entry.headBytes < sizeof(EntryHead) - 8 || entry.headBytes > 4096)
      damaged("has another form");
    if (entry.kind == Ptx || entry.kind == Elf)
      m_entries.push_back({static_cast<Kind>(entry.kind),
                           static_cast<int>(entry.architecture),
                           {data + place + entry.headBytes, bytes},
                           packed ? static_cast<std::size_t>(entry.unpackedBytes) : bytes,
                           entry.flags});
    place += entry.headBytes + entry.paddedBytes;
  }
}

int FatBinary::newestPtx() const {
  int newest = 0;
  for (const Entry& entry : m_entries)
    if (entry.kind == Ptx) newest = std::max(newest, entry.architecture);
  return newest;
}

bool FatBinary::servesCapability(int capability) const {
  return std::ranges::any_of(m_entries, [&](const Entry& entry) {
    return entry.architecture <= capability &&
           (entry.kind == Ptx || entry.architecture / 10 == capability / 10);
  });
}

std::string FatBinary::unpack(const Entry& entry) {
  std::string text(entry.bytes, '\0');
  const auto* const from = reinterpret_cast<const char*>(entry.packed.data());
  if ((entry.flags & kZstd) != 0) {
    const std::size_t done = ZSTD_decompress(text.data(), text.size(), from, entry.packed.size());
    if (ZSTD_isError(done) != 0 || done != text.size()) damaged("is not packed by zstd");
  } else if ((entry.flags & kLz4) != 0) {
    if (LZ4_decompress_safe(from, text.data(), static_cast<int>(entry.packed.size()),
                            static_cast<int>(text.size())) != static_cast<int>(text.size()))
      damaged("is not packed by LZ4");
  } else {
    std::memcpy(text.data(), from, text.size());
  }
  return text;
}

Module* FatBinary::module(int capability) {
  const Entry* best = nullptr;
  for (const Entry& entry : m_entries)
    if (entry.kind == Ptx && entry.architecture <= capability &&
        (best == nullptr || entry.architecture > best->architecture))
      best = &entry;
  if (best == nullptr) return nullptr;
  std::unique_ptr<Module>& module = m_modules[best->architecture];
  if (!module) {
    std::string text = unpack(*best);
    text.resize(std::min(text.find('\0'), text.size()));
    module = std::make_unique<Module>(std::move(text));
  }
  return module.get();
}

int FatBinary::registersOf(const std::string& kernel, int capability) {
  const Entry* best = nullptr;
  for (const Entry& entry : m_entries)
    if (entry.kind == Elf && entry.architecture <= capability &&
        entry.architecture / 10 == capability / 10 &&
        (best == nullptr || entry.architecture > best->architecture))
      best = &entry;
  if (best == nullptr) return 0;
  if (!m_registers.contains(best->architecture)) readElf(*best);
  const auto& all = m_registers[best->architecture];
  const auto found = all.find(kernel);
  return found == all.end() ? 0 : found->second;
}

/// `.nv.info` contains the number of registers of each kernel, by symbol.
void FatBinary::readElf(const Entry& entry) {
  const std::string file = unpack(entry);
  const auto* const bytes = reinterpret_cast<const std::byte*>(file.data());
  std::map<std::string, int>& registers = m_registers[entry.architecture];
  const auto head = at<Elf64_Ehdr>(bytes);
  const auto section = [&](std::size_t index) {
    return at<Elf64_Shdr>(bytes + head.e_shoff + index * head.e_shentsize);
  };
  const Elf64_Shdr names = section(head.e_shstrndx);
  Elf64_Shdr info{};
  Elf64_Shdr symbols{};
  for (std::size_t s = 0; s < head.e_shnum; ++s) {
    if (section(s).sh_type == SHT_SYMTAB) symbols = section(s);
    if (std::string_view(file.c_str() + names.sh_offset + section(s).sh_name) == ".nv.info")
      info = section(s);
  }
  if (symbols.sh_size == 0) return;
  constexpr std::uint8_t kSized = 4;
  constexpr std::uint8_t kRegisters = 0x2f;
  const std::size_t strings = section(symbols.sh_link).sh_offset;
  for (std::size_t place = info.sh_offset; place + 4 <= info.sh_offset + info.sh_size;) {
    const auto form = at<std::uint8_t>(bytes + place);
    if (form == kSized && at<std::uint8_t>(bytes + place + 1) == kRegisters) {
      const auto symbol = at<Elf64_Sym>(bytes + symbols.sh_offset +
                                        at<std::uint32_t>(bytes + place + 4) * sizeof(Elf64_Sym));
      registers[file.c_str() + strings + symbol.st_name] =
          static_cast<int>(at<std::uint32_t>(bytes + place + 8));
    }
    place += 4 + (form == kSized ? at<std::uint16_t>(bytes + place + 2) : 0U);
  }
}

}  // namespace millrace::ptx
