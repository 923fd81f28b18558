// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/storage/refusals.h"

#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "core/base/environment_number.h"
#include "core/base/text/text.h"
#include "core/base/text/xml_entities.h"
#include "core/storage/xml_text.h"

namespace millrace {

namespace {

/// The name that S3 and Google give an error, such as NoSuchBucket.
std::string codeOf(std::string_view answer) {
  const auto code = firstElement(answer, "Code");
  if (!code || code->size() > 64) return {};
  return singleLine(plainXml(*code));
}

}  // namespace

bool mayAnswerLater(int status) {
  return status == 408 || status == 429 || status == 500 || status == 502 || status == 503 ||
         status == 504;
}

Error refusalOf(const HttpTransfer& transfer, const RemotePath& path) {
  const int status = transfer.head.status;
  const std::string code = codeOf(transfer.answer);
  const std::string said =
      code.empty() ? std::to_string(status) : fmt::format("{} {}", status, code);
  std::string region = transfer.head.region;
  if (const auto named = firstElement(transfer.answer, "Region"); region.empty() && named)
    region = plainXml(*named);
  if (!region.empty() && (status == 301 || status == 307 || status == 400))
    return Error{
        fmt::format("the bucket is in the region `{}`; set AWS_REGION to it", singleLine(region))};
  if (code == "NoSuchBucket")
    return Error{fmt::format("there is no bucket `{}`", validUtf8(path.host))};
  if (code == "ExpiredToken" || code == "TokenRefreshRequired")
    return Error{fmt::format("the keys of the session have expired ({}); get new ones", said)};
  if (code == "RequestTimeTooSkewed")
    return Error{fmt::format("the clock of this machine is wrong ({}); set it", said)};
  if (status == 404 || status == 410)
    return Error{fmt::format("the server has no such object ({})", said)};
  if (status == 401 || status == 403 || code == "InvalidAccessKeyId")
    return Error{
        fmt::format("no permission ({}); {}", said, objectServiceOf(path.scheme)->access())};
  return Error{fmt::format("the server answered {}", said)};
}

std::chrono::milliseconds waitBefore(int attempt, const HttpTransfer& last) {
  const bool isOverloaded = last.head.status == 429 || last.head.status == 503;
  const double first = isOverloaded ? 400 : 100;
  constexpr double kLongest = 10000;
  const double longest =
      std::min(first * static_cast<double>(1U << std::min(attempt, 10)), kLongest);
  // Which request waits how long need not be the same in every run: the samples are.
  thread_local std::minstd_rand random(std::random_device{}());
  const double wait = longest * std::uniform_real_distribution<>(0.25, 1.0)(random);
  return std::max(std::chrono::milliseconds(static_cast<std::int64_t>(wait)),
                  std::chrono::milliseconds(last.head.retryAfter));
}

std::chrono::seconds longestStall() {
  static constexpr std::int64_t kUsual = 20;
  static constexpr std::int64_t kMost = 3600;
  static const std::int64_t seconds = [] {
    const auto number = environmentNumber("MILLRACE_REMOTE_TIMEOUT", 1, kMost, kUsual);
    return number ? *number : kUsual;
  }();
  return std::chrono::seconds(seconds);
}

}  // namespace millrace
