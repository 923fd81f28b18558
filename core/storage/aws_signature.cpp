// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/storage/aws_signature.h"

#include <algorithm>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "core/storage/remote_path.h"
#include "core/storage/sha256.h"

namespace millrace {

namespace {

/// Of the empty body.
constexpr std::string_view kNoBody =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

std::string_view textOf(const Sha256& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string hexText(const Sha256& bytes) {
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

/// The key of a day, derived from the secret one.
Result<Sha256> signingKey(const std::string& secret, const std::string& day,
                          const std::string& region) {
  MILLRACE_ASSIGN_OR_RETURN(const auto ofDay, keyedSha256("AWS4" + secret, day));
  MILLRACE_ASSIGN_OR_RETURN(const auto ofRegion, keyedSha256(textOf(ofDay), region));
  MILLRACE_ASSIGN_OR_RETURN(const auto ofService, keyedSha256(textOf(ofRegion), "s3"));
  return keyedSha256(textOf(ofService), "aws4_request");
}

}  // namespace

std::string canonicalQuery(std::vector<std::pair<std::string, std::string>> query) {
  for (auto& [name, value] : query) {
    name = percentEncoded(name, "");
    value = percentEncoded(value, "");
  }
  std::ranges::sort(query);
  std::string text;
  for (const auto& [name, value] : query) {
    if (!text.empty()) text += '&';
    text += name;
    text += '=';
    text += value;
  }
  return text;
}

Result<std::vector<std::string>> awsSignature(const AwsRequest& request, const AwsKeys& keys,
                                              std::chrono::system_clock::time_point now) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  const std::string time = fmt::format("{:%Y%m%dT%H%M%SZ}", parts);
  const std::string day = time.substr(0, 8);

  std::string headers =
      fmt::format("host:{}\nx-amz-content-sha256:{}\nx-amz-date:{}\n", request.host, kNoBody, time);
  std::string names = "host;x-amz-content-sha256;x-amz-date";
  if (!keys.token.empty()) {
    headers += "x-amz-security-token:" + keys.token + "\n";
    names += ";x-amz-security-token";
  }
  const std::string canonical = fmt::format("GET\n{}\n{}\n{}\n{}\n{}", request.path,
                                            canonicalQuery(request.query), headers, names, kNoBody);
  const std::string scope = fmt::format("{}/{}/s3/aws4_request", day, request.region);
  MILLRACE_ASSIGN_OR_RETURN(const auto digest, sha256(canonical));
  const std::string toSign =
      fmt::format("AWS4-HMAC-SHA256\n{}\n{}\n{}", time, scope, hexText(digest));
  MILLRACE_ASSIGN_OR_RETURN(const auto key, signingKey(keys.secret, day, request.region));
  MILLRACE_ASSIGN_OR_RETURN(const auto signature, keyedSha256(textOf(key), toSign));

  std::vector<std::string> sent{
      fmt::format("x-amz-content-sha256: {}", kNoBody), "x-amz-date: " + time,
      fmt::format("Authorization: AWS4-HMAC-SHA256 Credential={}/{}, SignedHeaders={}, "
                  "Signature={}",
                  keys.id, scope, names, hexText(signature))};
  if (!keys.token.empty()) sent.push_back("x-amz-security-token: " + keys.token);
  return sent;
}

}  // namespace millrace
