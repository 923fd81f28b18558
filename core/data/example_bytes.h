// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace millrace {

/// A tf.train.Example in the making, as bytes of its protocol buffer (tensorflow's example.proto
/// and feature.proto; protocol buffers, "Encoding"). Keeps its memory from one to the next. One
/// thread.
class ExampleBytes {
 public:
  void clear() { m_features.clear(); }
  /// A key is given once. The feature holds one run of bytes, or one number.
  void addBytes(std::string_view key, std::string_view value);
  void addNumber(std::string_view key, std::int64_t value);
  /// The example with all that was added; until the next call of anything.
  std::string_view finish();

 private:
  std::string m_features;
  std::string m_example;
};

}  // namespace millrace
