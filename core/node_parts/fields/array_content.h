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
enum class ArrayContent : std::uint8_t { Auto, ImageHwc, ImageChw, ImageGrey, Features };

/// What a sample of an array is to the nodes after the source. The bytes are those of the file.
struct SampleForm {
  Layout layout = Layout::Plain;  ///< Hwc or Chw for a picture
  Shape shape;                    ///< of a grey picture: height, width and 1
};

/// The form of samples of this shape and type. Two axes are a grey picture if `content` is
/// ImageGrey, and unless it is Features, if they hold u8 or u16 and each side has at least 8
/// values. Three axes are a picture if `content` names their order, or for Auto if
/// pictureLayoutOf() finds channels.
SampleForm formOf(const Shape& row, DType dtype, ArrayContent content);

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
         "Pictures if one of three axes has 1, 3 or 4 channels, or if there are two axes of u8 or "
         "u16, as in MNIST."},
        {ArrayContent::ImageHwc, contentName(ArrayContent::ImageHwc), "Height, width, channels."},
        {ArrayContent::ImageChw, contentName(ArrayContent::ImageChw), "Channels, height, width."},
        {ArrayContent::ImageGrey, contentName(ArrayContent::ImageGrey),
         "Height, width: grey pictures or masks of any type."},
        {ArrayContent::Features, contentName(ArrayContent::Features), "Numbers, not pictures."}})
      .label("Content")
      .help("The meaning of a sample's axes.");
}

}  // namespace millrace::nodes
