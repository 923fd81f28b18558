// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/run/device_lane.h"
#include "core/run/stage_worker.h"

namespace millrace {

/// The stage that moves batches to a device: takes host batches from one ring and enqueues them
/// into the device slots (DeviceSlot) of the other. A batch is handed on as soon as it is enqueued;
/// its event says when it is there. The host's slot goes back when its copy has passed.
std::unique_ptr<StageWorker> makeTransferWorker(BatchRing& in, BatchRing& out,
                                                const std::string& stage,
                                                std::unique_ptr<DeviceLane> lane,
                                                const StopSignal& stop);

}  // namespace millrace
