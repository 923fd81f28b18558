// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/codecs/codec.h"
#include "core/spec/sample_op.h"

namespace millrace {

// What a pixel pass that decodes counts besides samples and time: how each picture was decoded,
// what became of those that a draw gave to the device, what side indices were good for, and which
// pictures were resized as planes.

/// What becomes of a picture that the draw gives to the device.
enum class LeftPlace : std::uint8_t { Left, NoJpeg, Kind, Colours, Turned, Truncated };

/// The names, in the order of their places (SampleOp::tallyNames).
std::vector<std::string> imagePassCounts();

/// Formats with one decoder alone are not counted.
void countRoute(DecodeRoute route, const OpContext& context);
void countLeft(LeftPlace place, const OpContext& context);
void countIndex(const SideIndexUse& use, const OpContext& context);
/// A picture whose planes were resized by themselves; it is counted by its route as well.
void countPlanes(const OpContext& context);

}  // namespace millrace
