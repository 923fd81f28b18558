// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/stream_type.h"
#include "core/spec/describe.h"

namespace millrace::nodes {

/// The parameter `content` of sources whose files are arrays: what the axes of a sample mean.
enum class ArrayContent : std::uint8_t { Auto, ImageHwc, ImageChw, Features };

/// What is said of a sample of this shape, else by pictureLayoutOf.
Layout layoutFor(const Shape& row, ArrayContent content);

/// As a pipeline's file has it: "image_hwc".
std::string contentName(ArrayContent content);
/// `, content="image_hwc"`, for a reader in exported code; nothing of Auto, which is its default.
std::string contentArgument(ArrayContent content);

/// The fields as far as they are known before a file is looked at.
std::vector<FieldSpec> expectedFields(ArrayContent content);

template <class Params>
void describeContent(Describe<Params>& d) {
  d.template choice<ArrayContent>(
       "content", &Params::content,
       {{ArrayContent::Auto, contentName(ArrayContent::Auto),
         "Pictures where one axis has 1, 3 or 4 channels."},
        {ArrayContent::ImageHwc, contentName(ArrayContent::ImageHwc), "Height, width, channels."},
        {ArrayContent::ImageChw, contentName(ArrayContent::ImageChw), "Channels, height, width."},
        {ArrayContent::Features, contentName(ArrayContent::Features), "Numbers, no pictures."}})
      .label("Content")
      .help("What the axes of a sample mean where there are three.");
}

}  // namespace millrace::nodes
