// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "app/capi/millrace.h"
#include "core/loader/loader.h"

namespace millrace::capi {

/// Converts the C struct. nullopt: `error` says what is wrong with it. Reads the document of a kept
/// run from its store.
std::optional<LoaderOptions> loaderOptions(const millrace_options& options, LoaderError& error);

}  // namespace millrace::capi
