// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/storage/object_service.h"

namespace millrace {

/// What the headers of an answer say.
struct HttpHead {
  int status = 0;                       ///< 0: there was no answer
  std::string etag;                     ///< empty: the server gives none
  std::optional<std::uint64_t> begin;   ///< Content-Range: first byte
  std::optional<std::uint64_t> total;   ///< Content-Range: size of the object
  std::optional<std::uint64_t> length;  ///< Content-Length
  std::string location;                 ///< of a redirect, absolute
  std::string link;
  std::string region;  ///< x-amz-bucket-region
  std::chrono::seconds retryAfter{0};
};

/// One request and its answer. Between performAll() and its return it belongs to the thread of the
/// network; otherwise one thread.
class HttpTransfer {
 public:
  using Clock = std::chrono::steady_clock;

  virtual ~HttpTransfer() = default;
  /// Called with the head of an answer of status 200 or 206, before its body. An error ends the
  /// transfer.
  virtual Status begin() = 0;
  /// Takes a piece of that body. An error ends the transfer.
  virtual Status take(std::span<const std::byte> piece) = 0;

  // The request.
  HttpRequest request;
  std::string range;               ///< "0-99"; empty: the whole object
  bool mayUseLocalNetwork = true;  ///< false: addresses of the own machine or network are refused
  std::chrono::seconds stall{20};  ///< without any byte for so long, the transfer ends

  // The answer.
  HttpHead head;
  std::string answer;             ///< the beginning of the body of any other status
  std::string trouble;            ///< why there is no complete answer; empty: there is one
  bool isWorthRepeating = false;  ///< the trouble may pass
  bool usedLocalNetwork = false;
  Clock::time_point sent;
  std::optional<Clock::time_point> firstByte;
};

/// Sends all requests at once over connections that are kept, and returns when all have ended. Any
/// number of threads.
void performAll(std::span<HttpTransfer* const> transfers);

/// Fails if this build cannot use the network.
Status checkNetwork();

}  // namespace millrace
