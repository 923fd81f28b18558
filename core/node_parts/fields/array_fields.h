// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/data/stream_type.h"

namespace millrace::nodes {

/// Fields from the names and shapes of arrays and columns, for sources that read them.

/// Converts a foreign name to a field name: lower-case letters, digits and _, because field names
/// become parts of file names and code. `prefix` is prepended if it does not start with a letter.
std::string fieldNameOf(std::string_view name, std::string_view prefix);
/// Whether an array of this name usually holds classes.
bool isLabelName(std::string_view name);
/// Whether one of `names`, in lower case, is the array of the training split that belongs to this
/// one of another split: `x_train` to `x_test`, `train/images` to `val/images`. False if `name`
/// names no such split.
bool hasTrainingTwin(std::string_view name, const std::set<std::string>& names);
/// The role of a picture according to its array's name.
Role pictureRoleOf(std::string_view name);
/// The layout of a picture according to its shape: three axes, the last or the first with 1, 3 or 4
/// channels. Plain if it is not a picture.
Layout pictureLayoutOf(const Shape& row);
/// Neither a real number nor an encoded file.
bool isInteger(DType type);
/// Reads one integer of an array of any integer type.
std::int64_t integerAt(const std::byte* bytes, DType type);
/// Reads an f32 or f64.
double realAt(const std::byte* bytes, DType type);
/// Reads a class number of any type; nullopt for another real number than those of classIn().
std::optional<std::int64_t> labelAt(const std::byte* bytes, DType type);
/// Whether `type` can store labels: integers, f32 and f64.
bool storesLabels(DType type);

}  // namespace millrace::nodes
