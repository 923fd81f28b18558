// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/run/transfer_factory.h"

namespace millrace {

/// Makes transfer stages whose slots are DeviceSlots. A worker passes a batch on once it is
/// enqueued; the batch's event says when it is complete. The host's slot is released when its copy
/// is done.
const TransferFactory& deviceTransfer();

}  // namespace millrace
