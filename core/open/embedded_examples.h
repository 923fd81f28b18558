// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace millrace::samples {

struct EmbeddedExample {
  std::string_view name;
  std::string_view json;
};
/// The files of resources/examples, embedded at build time by cmake/MillraceExamples.cmake.
std::span<const EmbeddedExample> embeddedExamples();

}  // namespace millrace::samples
