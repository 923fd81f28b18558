// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace millrace {

/// "0.1.0", of the engine that this program has in it.
const char* engineVersion();

}  // namespace millrace
