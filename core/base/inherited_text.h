// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace millrace {

/// A file descriptor that holds `text` in memory and that a child process inherits, so that no
/// file is left after a kill. The child reads it from `path`. Movable; closes the descriptor.
class InheritedText {
 public:
  static Result<InheritedText> make(std::string_view text);
  InheritedText(InheritedText&& other) noexcept;
  InheritedText& operator=(InheritedText&&) = delete;
  InheritedText(const InheritedText&) = delete;
  InheritedText& operator=(const InheritedText&) = delete;
  ~InheritedText();

  std::string path() const;

 private:
  explicit InheritedText(int descriptor) : m_descriptor(descriptor) {}
  int m_descriptor;
};

}  // namespace millrace
