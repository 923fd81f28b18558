// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/storage/http_transfer.h"

namespace millrace {

/// Takes a header line of an answer; a status line begins a new head. Other headers, and values
/// that are not what they should be, are left out.
void takeHeader(std::string_view line, HttpHead& head);

}  // namespace millrace
