// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/spec/export_text.h"

namespace millrace::nodes {

/// A step that no target has, because of `reason`, a sentence without its full stop.
ExportText onlyEngine(std::string_view reason);

/// torchvision's transform `code` with a probability, on images.
ExportText randomly(const std::string& code, double probability,
                    const std::vector<std::size_t>& fields, const ExportContext& context);

/// For targets whose library lacks the operation.
template <class Params>
ExportText notInTarget(const Params&, const ExportContext&, std::string_view) {
  return onlyEngine("This library has no such operation");
}

}  // namespace millrace::nodes
