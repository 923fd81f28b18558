// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// What a server answers: headers, listings of S3 and of the Hugging Face Hub; files of AWS keys.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/storage/aws_account.h"
#include "core/storage/http_head.h"
#include "core/storage/object_service.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;  // NOLINT(google-build-using-namespace)
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  HttpHead head;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    takeHeader(text.substr(at, end - at), head);
    at = end + 1;
  }
  (void)objectServiceOf("s3")->page({{"s3", "b", "set/", ""}, true, 1000, ""}, text, "");
  (void)objectServiceOf("hf")->page({{"hf", "datasets", "a/b/set/", ""}, true, 1000, ""}, text,
                                    head.link);
  (void)parseAwsFile(text);
  if (const auto path = parseRemotePath(text)) (void)shownRemotePath(text);
  return 0;
}
