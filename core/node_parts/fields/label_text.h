// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/data/sample.h"
#include "core/data/stream_type.h"

namespace millrace::nodes {

/// Whether a field is a list of class numbers, whose length differs from sample to sample.
bool isLabelList(const FieldSpec& field);
/// Whether a field is read from text: a number, or a list of classes.
bool isLabelText(const FieldSpec& field);
/// Parses `17`, or, if the field is a list, `1 3`, `1,3` or `[1, 3]`; there may be spaces and a
/// line end around it.
Status putLabelText(std::span<const std::byte> bytes, const FieldSpec& spec, Sample& sample,
                    std::size_t field);

}  // namespace millrace::nodes
