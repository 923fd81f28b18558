// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace {

/// A pipeline that ships with Millrace: a file of resources/examples, built into the library, so
/// that the program alone suffices.
struct Example {
  std::string_view name;
  std::string_view description;  ///< what the pipeline does, in one line
  std::string_view data;         ///< what `--data` takes to run it on a person's own
};

/// In the order in which a newcomer tries them. Any thread.
const std::vector<Example>& examples();

/// The pipeline document of an example; nothing for another name.
std::optional<std::string> exampleJson(std::string_view name);

}  // namespace millrace
