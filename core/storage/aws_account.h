// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace millrace {

/// Secret: never shown, stored or logged.
struct AwsKeys {
  std::string id;
  std::string secret;
  std::string token;  ///< of a session; may be empty
};

/// What requests to S3 need, as the AWS command line finds it: the environment first, then the
/// profile (AWS_PROFILE, otherwise `default`) in ~/.aws/credentials and ~/.aws/config.
struct AwsAccount {
  std::optional<AwsKeys> keys;  ///< nullopt: requests are anonymous
  std::string region = "us-east-1";
  std::string endpoint;      ///< another server with the interface of S3; empty: Amazon's
  bool bucketInHost = true;  ///< https://bucket.host/key, not https://host/bucket/key
};

/// Reads it again after a minute, so that new keys of a session are found while a run goes on. The
/// error names the profile or the file, and never shows a value. Any thread.
Result<AwsAccount> awsAccount();

/// Sections of an INI file as AWS writes it, each with its settings; a nested setting has the name
/// "outer.inner".
using AwsSections = std::map<std::string, std::map<std::string, std::string>>;
AwsSections parseAwsFile(std::string_view text);

}  // namespace millrace
