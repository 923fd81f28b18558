// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/data/sample.h"
#include "core/formats/io/unique_fd.h"

namespace millrace {

/// Memory that is shared with a process that calls a user's function: a header, a table of at most
/// kMostFields fields, and their values (resources/own_python/calls.py has the same layout). It
/// only grows, and neither side can make it shorter. What comes from the other side is checked. For
/// use by one thread; movable.
class CallMemory {
 public:
  static constexpr std::size_t kMostFields = 64;

  static Result<CallMemory> make();
  CallMemory(CallMemory&& other) noexcept;
  CallMemory& operator=(CallMemory&&) = delete;
  ~CallMemory();

  int descriptor() const { return m_file.get(); }
  std::size_t bytes() const { return m_bytes; }

  /// Copies the values into the memory and describes them. nullopt: all draws are centred.
  Status put(std::span<const TensorView> values, std::optional<std::uint64_t> seed);
  /// The results, in this memory; valid until the next put(). `bytes`: how much of it the other
  /// side says that there is.
  Result<std::vector<TensorView>> results(std::uint64_t bytes);
  /// The text about an error.
  Result<std::string> error(std::uint64_t bytes);

 private:
  CallMemory() = default;
  Status fit(std::size_t bytes);
  Status checkBytes(std::uint64_t bytes);

  UniqueFd m_file;
  std::byte* m_begin = nullptr;
  std::size_t m_bytes = 0;
};

}  // namespace millrace
