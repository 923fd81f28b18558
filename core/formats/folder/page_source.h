// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/spec/source.h"

namespace millrace {

/// Makes each page or frame a sample: of the files that a source names with file() and moreFiles(),
/// whose bytes are the first fields of its samples. Opens every file once, in parallel, to count.
/// Partners with equally many pages pair page by page; others stay one sample, which fails with the
/// counts.
Result<std::shared_ptr<const Source>> eachPageOf(std::shared_ptr<const Source> files);

}  // namespace millrace
