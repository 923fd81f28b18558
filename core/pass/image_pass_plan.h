// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/codecs/codec.h"
#include "core/kernels/pass/pixel_pass.h"
#include "core/pass/image_pass.h"

namespace millrace {

/// The part of a pass that is known before the first sample, for one field.
struct PassField {
  std::size_t input = 0;  ///< its field before the pass; several views share it
  std::size_t index = 0;  ///< the field after the pass
  int view = 0;           ///< FieldSpec::view
  std::string name;
  Role role = Role::Image;
  DType from = DType::U8;  ///< Encoded, U8 or F32
  Layout fromLayout = Layout::Hwc;
  int channels = 0;  ///< of the decoded picture; 0: depends on the file
  PixelForm decodeForm = PixelForm::Rgb;
  OutputForm form;
};

/// Whether `field` is one of the fields that a step acts on.
bool hasField(const std::vector<std::size_t>& fields, std::size_t field);

/// The fields that the steps of a pass act on, in stream order; those after a views step, if there
/// is one.
std::vector<PassField> passFields(const ImagePassPlan& plan);

}  // namespace millrace
