// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// What a login prints before the greeting, and requests. A request that was read can be written,
// and reads back equal.
#include <cstdlib>
#include <string>

#include "core/remote/remote_words.h"

using namespace millrace;  // NOLINT(google-build-using-namespace): a separate program

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::string printed = text;
  (void)takeGreeting(printed);
  std::string received = text;
  const auto request = takeRequest(received);
  if (!request.ok() || !request->has_value()) return 0;
  std::string written = requestBytes(**request);
  const auto again = takeRequest(written);
  if (!again.ok() || !again->has_value() || !written.empty()) std::abort();
  if ((*again)->words != (*request)->words || (*again)->documents != (*request)->documents)
    std::abort();
  return 0;
}
