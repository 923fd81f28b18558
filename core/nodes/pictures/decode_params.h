// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/spec/describe.h"

namespace millrace::nodes::decode {

enum class Orientation : std::uint8_t { Apply, Ignore };
enum class Scaling : std::uint8_t { Auto, Full };
enum class MaskForm : std::uint8_t { Index, Rgb };
enum class Decoder : std::uint8_t { Auto, Library };
enum class ResizeOf : std::uint8_t { Rgb, Planes };
enum class Balance : std::uint8_t { Fixed, Adaptive };
enum class Truncated : std::uint8_t { Fail, Grey };
enum class Several : std::uint8_t { First, Refuse };
enum class Cmyk : std::uint8_t { Plain, Profile };

struct Params {
  DecodeForm form = DecodeForm::Rgb;
  std::int64_t channels = 3;
  MaskForm mask = MaskForm::Index;
  Orientation orientation = Orientation::Apply;
  Scaling scaling = Scaling::Auto;
  Truncated truncated = Truncated::Fail;
  Several several = Several::First;
  RealList background{};
  Cmyk cmyk = Cmyk::Plain;
  Decoder decoder = Decoder::Auto;
  ResizeOf resize = ResizeOf::Rgb;
  std::int64_t gpuShare = 0;
  Balance gpuBalance = Balance::Fixed;
  std::int64_t sideIndex = 0;
  TextList fields;
};

/// The fields that the node decodes.
std::vector<std::size_t> acts(const Params& p, const StreamType& in);

/// The node's forms in other loaders' code.
void addExporters(Describe<Params>& d);

}  // namespace millrace::nodes::decode
