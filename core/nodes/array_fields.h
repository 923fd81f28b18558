// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/data/stream_type.h"

namespace millrace::nodes {

/// What sources of named arrays and columns make of names and shapes.

/// A foreign name as the name of a field: small letters, digits and _, which names reach file names
/// and code by. `prefix` stands in front of one that begins with no letter.
std::string fieldNameOf(std::string_view name, std::string_view prefix);
/// Names that arrays of classes have.
bool isLabelName(std::string_view name);
/// Of a picture, by what its array is called.
Role pictureRoleOf(std::string_view name);
/// Pictures by their shape: three axes, of which the last or the first are 1, 3 or 4 channels;
/// Plain for what is none.
Layout pictureLayoutOf(const Shape& row);
/// Neither real nor a file.
bool isInteger(DType type);
/// One integer of an array, whatever its width.
std::int64_t integerAt(const std::byte* bytes, DType type);

}  // namespace millrace::nodes
