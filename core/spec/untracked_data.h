// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace millrace {

/// A source whose samples depend on more than the files that it names, so that a cache on disk
/// cannot tell whether they are still valid.
class UntrackedData {
 public:
  virtual ~UntrackedData() = default;
};

}  // namespace millrace
