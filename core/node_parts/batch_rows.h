// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/data/batch.h"

namespace millrace::nodes {

// The rows of a new batch, for kinds that are a BatchMap.

/// Memory for `rows` rows of one shape, one after the other. Their content is not set.
void placeRows(const Shape& shape, std::size_t rows, BatchField& field);
/// Memory for the first `rows` rows of a ragged field, whose shapes are set already.
void placeRagged(std::size_t rows, BatchField& field);
/// Copies rows that do not change. The fields have the same type.
void copyRows(const BatchField& from, std::size_t rows, BatchField& to);

}  // namespace millrace::nodes
