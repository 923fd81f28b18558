// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/nodes/crop_size.h"
#include "core/spec/describe.h"

namespace millrace {

/// Parameters of the crops of one size: centre_crop and random_crop.
struct FixedCrop {
  std::int64_t height = 224;
  std::int64_t width = 224;
  bool pad = false;
  RealList fill{0};
  std::int64_t maskFill = 0;
  TextList fields;

  PadFill border() const { return padFill(Border::Constant, fill, maskFill); }
};

void describeFixedCrop(Describe<FixedCrop>& d);

/// The crop's size on the window's grid. Pads the window to it where the crop pads; an error when
/// the picture is smaller.
Result<Size> fitWindow(const FixedCrop& crop, const PadFill& border, Window& window);

/// The step that pads, where the crop does.
/// `fill`: fillLevels of the crop's.
void torchPadStep(const FixedCrop& crop, const RealList& fill, const std::string& fields,
                  ExportText& text);
/// The same for tf.data and DALI.
void arrayPadStep(const FixedCrop& crop, const RealList& fill, const std::string& fields,
                  ExportText& text);

}  // namespace millrace
