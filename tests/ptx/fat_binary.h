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

/// What nvcc embeds for one source: code for some architectures, and PTX. Nothing is decompressed
/// before one of its kernels is requested. For use by one thread at a time.
class FatBinary {
 public:
  /// `wrapper` must outlive this object; it is the argument of __cudaRegisterFatBinary
  /// (fatbinary_section.h).
  explicit FatBinary(const void* wrapper);

  /// The highest architecture for which there is PTX; 0 if there is none.
  int newestPtx() const;
  /// Whether it has code, or PTX that can be translated, for compute capability 9.0 given as 90.
  bool servesCapability(int capability) const;
  /// nullptr if no PTX is suitable.
  Module* module(int capability);
  /// The number of registers that ptxas has assigned for this architecture; 0 if there is no code
  /// for it.
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
