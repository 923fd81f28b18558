// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/thrown_error.h"

#include <new>

#include <fmt/format.h>

namespace millrace {

Error errorOf(const std::exception& thrown) {
  if (dynamic_cast<const std::bad_alloc*>(&thrown) != nullptr)
    return {
        "there is not enough memory; reduce batch.size or prefetch.batches, or use fewer workers"};
  return {fmt::format("a library threw an exception: {}", thrown.what())};
}

}  // namespace millrace
