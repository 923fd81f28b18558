// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/storage/aws_account.h"

namespace millrace {

/// A GET request without a body that is to be signed. Queries are not encoded yet.
struct AwsRequest {
  std::string host;
  std::string path;  ///< encoded, with its first slash
  std::vector<std::pair<std::string, std::string>> query;
  std::string region;
};

/// "a=1&b=%2F", in the order and encoding of the signature.
std::string canonicalQuery(std::vector<std::pair<std::string, std::string>> query);

/// The headers that sign the request by Signature Version 4 (AWS Signature Version 4 for API
/// requests, "Create a signed AWS API request"), for the service s3 at the time `now`.
Result<std::vector<std::string>> awsSignature(const AwsRequest& request, const AwsKeys& keys,
                                              std::chrono::system_clock::time_point now);

}  // namespace millrace
