// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace CLI {
class FormatterBase;
}  // namespace CLI

namespace millrace::cli {

/// CLI11's help, but which options need or exclude each other is part of the explanation: "; not
/// with --events". Options that exclude many others (--resume) are not listed at each of them.
std::shared_ptr<CLI::FormatterBase> helpFormat();

}  // namespace millrace::cli
