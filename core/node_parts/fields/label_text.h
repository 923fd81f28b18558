// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/data/sample.h"
#include "core/data/stream_type.h"

namespace millrace::nodes {

/// Whether a field is a list of class numbers, whose length differs from sample to sample.
bool isLabelList(const FieldSpec& field);
/// Whether a field is read from text of `bytes`: a number, a list of classes, or a vector with a
/// number for each class, unless they are its elements.
bool isLabelText(const FieldSpec& field, std::size_t bytes);
/// The numbers of a text that holds several, or a list in brackets such as `[3]` or `[]`; nullopt
/// if it is anything else.
std::optional<std::vector<std::int64_t>> classListIn(std::span<const std::byte> bytes);
/// The text without spaces and line ends around it.
std::string_view textIn(std::span<const std::byte> bytes);
/// The number of a text that is one number; nullopt if it is anything else.
std::optional<double> realIn(std::span<const std::byte> bytes);
/// Parses `17`, or, if the field is a list, `1 3`, `1,3` or `[1, 3]`, or, if it is a quantity,
/// `0.5`; there may be spaces and a line end around it.
Status putLabelText(std::span<const std::byte> bytes, const FieldSpec& spec, Sample& sample,
                    std::size_t field);

}  // namespace millrace::nodes
