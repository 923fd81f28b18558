// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace millrace {

/// Sizes of up to six dimensions, outermost first; kUnknown for a size that is not known before the
/// run. A value type that never allocates.
class Shape {
 public:
  static constexpr std::int64_t kUnknown = -1;
  static constexpr std::size_t kMaxRank = 6;

  Shape() = default;
  Shape(std::initializer_list<std::int64_t> sizes);

  std::size_t rank() const { return m_rank; }
  std::int64_t operator[](std::size_t i) const { return m_sizes[i]; }
  std::int64_t& operator[](std::size_t i) { return m_sizes[i]; }
  const std::int64_t* begin() const { return m_sizes.data(); }
  const std::int64_t* end() const { return m_sizes.data() + m_rank; }
  void append(std::int64_t size);
  /// This shape with an additional outermost dimension.
  Shape batched(std::int64_t rows) const;

  bool known() const;
  /// Product of the sizes: 1 for rank 0, kUnknown if any size is unknown.
  std::int64_t elements() const;
  /// "224x224x3", "?x?x3"; "scalar" for rank 0.
  std::string text() const;

  bool operator==(const Shape& other) const;

 private:
  std::array<std::int64_t, kMaxRank> m_sizes{};
  std::size_t m_rank = 0;
};

}  // namespace millrace
