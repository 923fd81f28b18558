// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tests/ptx/ptx_text.h"

namespace millrace::ptx {

/// What nvcc embeds of one source: code for some architectures, and PTX. Nothing is unpacked before
/// a kernel of it is asked for. One thread at a time.
class FatBinary {
 public:
  /// `data` lives as long as this; it is what __cudaRegisterFatBinary gets (fatbinary_section.h).
  explicit FatBinary(const void* wrapper);

  /// The highest architecture that there is PTX for; 0 where there is none.
  int newestPtx() const;
  /// Whether there is code for, or PTX that can be translated for, compute capability 9.0 as 90.
  bool servesCapability(int capability) const;
  /// nullptr where no PTX serves it.
  Module* module(int capability);
  /// As ptxas has allotted them for this architecture; 0 where it has not.
  int registersOf(const std::string& kernel, int capability);

 private:
  enum Kind : std::uint16_t { Ptx = 1, Elf = 2 };
  struct Entry {
    Kind kind;
    int architecture;
    std::span<const std::byte> packed;
    std::size_t bytes;
    std::uint64_t flags;
  };
  static std::string unpack(const Entry& entry);
  void readElf(const Entry& entry);

  std::vector<Entry> m_entries;
  std::map<int, std::unique_ptr<Module>> m_modules;
  std::map<int, std::map<std::string, int>> m_registers;
};

}  // namespace millrace::ptx
