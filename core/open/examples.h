// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

/// A pipeline that ships with Millrace: a file of resources/examples, embedded in the library so
/// that the program needs no other files.
struct Example {
  std::string_view name;
  std::string_view description;  ///< what the pipeline does, in one line
  std::string_view data;         ///< the data that it expects from `--data`
};

/// Ordered from simple to special. Any thread.
const std::vector<Example>& examples();

/// The example's pipeline document; nullopt for an unknown name.
std::optional<std::string> exampleJson(std::string_view name);

}  // namespace millrace
