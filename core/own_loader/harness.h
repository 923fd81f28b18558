// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/own_loader/own_loader.h"

namespace millrace {

/// A file of resources/own_loader, embedded at build time.
struct HarnessPart {
  std::string_view name;
  std::string_view text;
};
std::span<const HarnessPart> harnessParts();

/// All parts as one JSON object, which the harness reads from a file.
std::string harnessText();
/// The command that runs the harness; `text` is the path of that file.
std::vector<std::string> harnessCommand(const OwnLoader& loader, const std::string& text);

}  // namespace millrace
