// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace millrace {

/// Serialises a tf.train.Example to protocol buffer bytes (TensorFlow's example.proto and
/// feature.proto; protocol buffers, "Encoding"). Reuses its memory for the next example. For use by
/// one thread.
class ExampleBytes {
 public:
  void clear() { m_features.clear(); }
  /// Adds a feature with one byte string or one number. Each key may be added once.
  void addBytes(std::string_view key, std::string_view value);
  void addNumber(std::string_view key, std::int64_t value);
  /// The serialised example; valid until the next call of any member.
  std::string_view finish();

 private:
  std::string m_features;
  std::string m_example;
};

}  // namespace millrace
