// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/data/stream_type.h"

namespace millrace {

/// The objects of a picture, for detection and pose estimation. Row i of every field with a row for
/// each object belongs to object i:
///
///   boxes      f32 ? x 4      left, top, right and bottom edge, in pixels of the image field from
///                             its top left corner; pixel i covers [i, i + 1)
///   keypoints  f32 ? x k x 3  x and y like boxes, and 0 (not in the picture), 1 (hidden) or
///                             2 (visible)
///   label      i64 ?          class
///   objects    any, ? first   everything else, such as areas

/// The `objects` field (f32 ?) with the share of each box's area that is still in the picture; the
/// source gives 1, and geometry decreases it.
constexpr std::string_view kVisibleField = "visible";

/// The field of boxes; nullptr if there is none.
const FieldSpec* boxesOf(const std::vector<FieldSpec>& fields);

/// Indices of the fields with a row for each object. Empty if there are neither boxes nor
/// keypoints.
std::vector<std::size_t> perObjectFields(const std::vector<FieldSpec>& fields);

}  // namespace millrace
