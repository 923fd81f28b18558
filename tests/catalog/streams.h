// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "core/spec/catalog.h"

namespace millrace::tests {

/// Streams of every form that a node may encounter; the empty one comes first.
std::vector<StreamType> manyStreams();

/// The defaults, every number at its minimum and maximum, and each choice.
std::vector<Values> manyValues(const NodeSpec& spec);

}  // namespace millrace::tests
