// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/dataset_writer.h"

#include <fmt/format.h>

namespace millrace {

std::string classFolderName(const WriteSpec& spec, std::int64_t label) {
  if (label < 0 || static_cast<std::size_t>(label) >= spec.classes.size())
    return fmt::format("{:04}", label);
  std::string name = spec.classes[static_cast<std::size_t>(label)];
  for (char& c : name)
    if (c == '/' || c == '\0') c = '_';
  if (name.empty() || name == "..") return fmt::format("{:04}", label);
  return name;
}

}  // namespace millrace
