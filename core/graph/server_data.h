// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/graph/checked_pipeline.h"

namespace millrace {

/// Whether one of the data paths of a source leads to a server (core/storage).
bool readsFromServer(const CheckedNode& node);

}  // namespace millrace
