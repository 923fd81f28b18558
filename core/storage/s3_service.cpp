// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Amazon S3 (API reference: GetObject, ListObjectsV2) and Google's XML interface.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/xml_entities.h"
#include "core/storage/aws_signature.h"
#include "core/storage/environment.h"
#include "core/storage/services.h"
#include "core/storage/xml_text.h"

namespace millrace {

namespace {

using Query = std::vector<std::pair<std::string, std::string>>;

/// A bucket that can be the first part of a host's name under a certificate for `*.host`.
bool fitsHost(std::string_view bucket) {
  return std::ranges::all_of(bucket, [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '-';
  });
}

struct Server {
  std::string scheme = "https";
  std::string host;
};

Result<Server> serverOf(const AwsAccount& account) {
  if (account.endpoint.empty())
    return Server{"https", fmt::format("s3.{}.amazonaws.com{}", account.region,
                                       account.region.starts_with("cn-") ? ".cn" : "")};
  const std::size_t end = account.endpoint.find("://");
  Server server;
  if (end != std::string::npos) {
    server.scheme = lowerCase(account.endpoint.substr(0, end));
    server.host = account.endpoint.substr(end + 3);
  }
  if (server.host.empty() || (server.scheme != "http" && server.scheme != "https") ||
      server.host.find_first_of("/@? ") != std::string::npos)
    return Error{"AWS_ENDPOINT_URL is not the address of a server; write it as https://host:port"};
  return server;
}

Result<HttpRequest> request(const std::string& bucket, const std::string& key, Query query) {
  MILLRACE_ASSIGN_OR_RETURN(const auto account, awsAccount());
  MILLRACE_ASSIGN_OR_RETURN(const auto server, serverOf(account));
  const bool inHost = account.bucketInHost && fitsHost(bucket);
  AwsRequest asked;
  asked.host = inHost ? bucket + "." + server.host : server.host;
  asked.path = inHost ? "/" : "/" + percentEncoded(bucket) + "/";
  asked.path += percentEncoded(key);
  asked.query = std::move(query);
  asked.region = account.region;
  HttpRequest made;
  made.url = server.scheme + "://" + asked.host + asked.path;
  if (!asked.query.empty()) made.url += "?" + canonicalQuery(asked.query);
  if (!account.keys) return made;
  MILLRACE_ASSIGN_OR_RETURN(made.headers,
                            awsSignature(asked, *account.keys, std::chrono::system_clock::now()));
  return made;
}

Query listingQuery(const ListingRequest& asked) {
  Query query{{"list-type", "2"},
              {"encoding-type", "url"},
              {"prefix", asked.folder.path},
              {"max-keys", std::to_string(asked.most)}};
  if (!asked.below) query.emplace_back("delimiter", "/");
  if (!asked.next.empty()) query.emplace_back("continuation-token", asked.next);
  return query;
}

}  // namespace

namespace s3 {

Result<HttpRequest> object(const RemotePath& path) { return request(path.host, path.path, {}); }

Result<HttpRequest> listing(const ListingRequest& asked) {
  return request(asked.folder.host, "", listingQuery(asked));
}

Result<ObjectPage> page(const ListingRequest&, std::string_view body, std::string_view) {
  if (!firstElement(body, "ListBucketResult"))
    return Error{"the server's answer is not a listing as S3 writes it"};
  const bool isEncoded = firstElement(body, "EncodingType") == "url";
  const auto path = [&](std::string_view text) {
    return isEncoded ? percentDecoded(plainXml(text)) : plainXml(text);
  };
  ObjectPage page;
  bool isWhole = true;
  forEachElement(body, "Contents", [&](std::string_view content) {
    const auto key = firstElement(content, "Key");
    const std::string_view size = firstElement(content, "Size").value_or("");
    ObjectPage::Object object;
    const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), object.size);
    isWhole = isWhole && key && error == std::errc() && end == size.data() + size.size();
    if (key) object.path = path(*key);
    page.objects.push_back(std::move(object));
  });
  forEachElement(body, "CommonPrefixes", [&](std::string_view content) {
    const auto prefix = firstElement(content, "Prefix");
    isWhole = isWhole && prefix;
    if (prefix) page.folders.push_back(path(*prefix));
  });
  const bool more = firstElement(body, "IsTruncated") == "true";
  if (more) page.next = plainXml(firstElement(body, "NextContinuationToken").value_or(""));
  if (!isWhole || (more && page.next.empty()))
    return Error{"the server's listing is incomplete: objects without a name or a size"};
  return page;
}

std::string access() {
  const auto account = awsAccount();
  if (account && account->keys)
    return "check that the keys of AWS_ACCESS_KEY_ID or of the profile in ~/.aws may read it";
  return "no keys were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE to a "
         "profile in ~/.aws";
}

}  // namespace s3

namespace gs {

namespace {

Result<HttpRequest> gsRequest(const std::string& path, const Query& query) {
  std::string server = environmentText("STORAGE_EMULATOR_HOST");
  if (server.empty()) server = "https://storage.googleapis.com";
  if (server.find("://") == std::string::npos) server.insert(0, "http://");
  if (server.ends_with('/')) server.pop_back();
  HttpRequest made{server + "/" + percentEncoded(path), {}};
  if (!query.empty()) made.url += "?" + canonicalQuery(query);
  const std::string token = firstOf({"GOOGLE_OAUTH_ACCESS_TOKEN", "CLOUDSDK_AUTH_ACCESS_TOKEN"});
  if (!token.empty()) made.headers.push_back("Authorization: Bearer " + token);
  return made;
}

}  // namespace

Result<HttpRequest> object(const RemotePath& path) {
  return gsRequest(path.host + "/" + path.path, {});
}

Result<HttpRequest> listing(const ListingRequest& asked) {
  return gsRequest(asked.folder.host + "/", listingQuery(asked));
}

std::string access() {
  return "for data that is not public, set GOOGLE_OAUTH_ACCESS_TOKEN to the output of `gcloud auth "
         "print-access-token`";
}

}  // namespace gs

namespace web {

Result<HttpRequest> object(const RemotePath& path) {
  // The path is a URL's already; what cannot stand in one is encoded.
  return HttpRequest{path.scheme + "://" + path.host + "/" +
                         percentEncoded(path.path, "/%:@!$&'()*+,;=") + path.query,
                     {}};
}

std::string access() { return "the address needs a signature in its query, or another one"; }

}  // namespace web

}  // namespace millrace
