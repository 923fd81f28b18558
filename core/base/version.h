// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace millrace {

/// The version of the engine in this program, for example "0.1.0".
const char* engineVersion();

}  // namespace millrace
