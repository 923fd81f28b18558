// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/spec/catalog.h"

namespace millrace::cli {

/// The output of `millrace nodes --json`, indented, with a newline: an array of the kinds, or one
/// of its objects (`kind label category help example tags can_bypass params`).
std::string catalogJson(const Catalog& catalog);
std::string nodeSpecJson(const NodeSpec& spec);

}  // namespace millrace::cli
