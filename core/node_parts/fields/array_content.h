// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/stream_type.h"
#include "core/spec/describe.h"

namespace millrace::nodes {

/// The parameter `content` of sources whose files are arrays: the meaning of a sample's axes.
enum class ArrayContent : std::uint8_t { Auto, ImageHwc, ImageChw, Features };

/// The layout of a sample of this shape: as `content` says, or for Auto as pictureLayoutOf() does.
Layout layoutFor(const Shape& row, ArrayContent content);

/// The value in a pipeline file: "image_hwc".
std::string contentName(ArrayContent content);
/// `, content="image_hwc"` for a reader in exported code; empty for Auto, which is its default.
std::string contentArgument(ArrayContent content);

/// The fields that are known without reading a file.
std::vector<FieldSpec> expectedFields(ArrayContent content);

template <class Params>
void describeContent(Describe<Params>& d) {
  d.template choice<ArrayContent>(
       "content", &Params::content,
       {{ArrayContent::Auto, contentName(ArrayContent::Auto),
         "Pictures if one of three axes has 1, 3 or 4 channels."},
        {ArrayContent::ImageHwc, contentName(ArrayContent::ImageHwc), "Height, width, channels."},
        {ArrayContent::ImageChw, contentName(ArrayContent::ImageChw), "Channels, height, width."},
        {ArrayContent::Features, contentName(ArrayContent::Features), "Numbers, not pictures."}})
      .label("Content")
      .help("The meaning of a sample's three axes.");
}

}  // namespace millrace::nodes
