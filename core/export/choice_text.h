// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "core/export/python_file.h"

namespace millrace {

/// Makes one text of the nodes of each choice (core/graph/node_choice.h), at the first of them. For
/// PyTorch these are torchvision's RandomApply and RandomChoice, if all its nodes are transforms
/// that act on the same fields. Otherwise, and for the other targets, the text is missing.
void joinChoices(std::vector<NodeText>& texts, std::string_view target);

}  // namespace millrace
