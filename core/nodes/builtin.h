// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/catalog.h"

namespace millrace {

/// The kinds of nodes.def, then those of plug-ins. Built on the first call; any thread.
const Catalog& builtinCatalog();

}  // namespace millrace
