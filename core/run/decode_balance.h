// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/nodes/moving_share.h"

namespace millrace {

/// What a transfer stage sees when it takes a batch whose pictures CPU and device decode together.
struct DecodeSigns {
  bool cpuIsLate = false;     ///< the stage had to wait for the batch
  bool deviceIsLate = false;  ///< the device still decodes pictures of the batch before
};

/// Moves the share of pictures that a device decodes to where neither side waits for the other. Up
/// where batches come late and the device has nothing to do, down where they come in time and it is
/// behind; where both are late the work is parted well, where none is the limit is elsewhere, and
/// the share stays. Judged by the majority of as many batches as may be under way; as many are
/// passed over behind a move, since they still have the share of before. The step is halved where
/// the direction turns and doubled where it stays for long. One thread.
class DecodeBalance {
 public:
  static constexpr double kLargestStep = 16;  ///< percent
  static constexpr double kSmallestStep = 1;
  static constexpr int kMovesToTrust = 3;  ///< the same way, until the step is doubled

  /// `between`: batches that may be under way between the workers and the device.
  DecodeBalance(MovingShare& share, std::size_t between);

  void taken(const DecodeSigns& signs);

 private:
  void move(int direction);

  MovingShare& m_share;
  const std::size_t m_between;
  std::size_t m_seen = 0;
  int m_votes = 0;  ///< for up, less those for down
  std::size_t m_passedOver = 0;
  int m_direction = 0;
  int m_movesThatWay = 0;
  double m_step = kLargestStep / 2;
};

}  // namespace millrace
