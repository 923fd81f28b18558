// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/codecs/codec.h"
#include "core/spec/sample_op.h"

namespace millrace {

// What a pixel pass that decodes counts in addition to samples and time: how each picture was
// decoded, what happened to those selected for the device, how side indices were used, which
// pictures were resized as planes, and what of a file its pixels do not hold.

/// What happens to a picture that the draw selects for the device.
enum class LeftPlace : std::uint8_t { Left, NoJpeg, Kind, Colours, Turned, Truncated };

/// The names in the order of their positions (SampleOp::counterNames).
std::vector<std::string> imagePassCounts();

/// Formats with only one decoder are not counted.
void countRoute(DecodeRoute route, const OpContext& context);
void countLeft(LeftPlace place, const OpContext& context);
void countIndex(const SideIndexUse& use, const OpContext& context);
/// A picture whose planes were resized separately; its route is counted too.
void countPlanes(const OpContext& context);
void countReductions(Reductions lost, const OpContext& context);

}  // namespace millrace
