// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/pass/offload_share.h"

namespace millrace {

/// Observations of a transfer stage when it takes a batch whose pictures CPU and device decode
/// together.
struct DecodeSigns {
  bool cpuIsLate = false;     ///< the stage waited for the batch
  bool deviceIsLate = false;  ///< the device is still decoding the previous batch
};

/// Adapts the share of pictures that the device decodes until neither side waits for the other. The
/// share rises if batches come late and the device is idle, and falls if they come in time and the
/// device is late. If both are late the work is well divided, and if neither is, the limit is
/// elsewhere; then the share stays. A decision is by the majority over as many batches as may be in
/// progress; after a change the same number of batches is ignored, because they still have the old
/// share. The step is halved when the direction changes and doubled after several moves in one
/// direction. One thread.
class DecodeBalancer {
 public:
  static constexpr double kLargestStep = 16;  ///< percentage points
  static constexpr double kSmallestStep = 1;
  static constexpr int kMovesToTrust = 3;  ///< moves in one direction before the step is doubled

  /// `between`: number of batches that may be in progress between the workers and the device.
  DecodeBalancer(OffloadShare& share, std::size_t between);

  void taken(const DecodeSigns& signs);

 private:
  void move(int direction);

  OffloadShare& m_share;
  const std::size_t m_between;
  std::size_t m_seen = 0;
  int m_votes = 0;  ///< votes for up minus votes for down
  std::size_t m_passedOver = 0;
  int m_direction = 0;
  int m_movesThatWay = 0;
  double m_step = kLargestStep / 2;
};

}  // namespace millrace
