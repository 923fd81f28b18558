// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The Hugging Face Hub (docs: "Hub API endpoints"; files are at /resolve/REVISION/).
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/parsed_json.h"
#include "core/base/text/text.h"
#include "core/storage/environment.h"
#include "core/storage/services.h"

namespace millrace::hf {

namespace {

/// What hf://datasets/OWNER/NAME[@REVISION]/path names.
struct HubPath {
  std::string name;  ///< OWNER/NAME
  std::string revision = "main";
  std::string path;
};

Result<HubPath> hubPath(const RemotePath& path) {
  const Error wrong{
      fmt::format("`hf://{}/{}` is not the path of a data set; write it as "
                  "hf://datasets/OWNER/NAME/path, with a revision as NAME@REVISION",
                  validUtf8(path.host), validUtf8(path.path))};
  const std::size_t owner = path.path.find('/');
  if (path.host != "datasets" || owner == std::string::npos || owner == 0) return wrong;
  const std::size_t end = std::min(path.path.find('/', owner + 1), path.path.size());
  HubPath hub;
  hub.name = path.path.substr(0, end);
  if (end < path.path.size()) hub.path = path.path.substr(end + 1);
  if (const std::size_t at = hub.name.find('@'); at != std::string::npos) {
    hub.revision = hub.name.substr(at + 1);
    hub.name.resize(at);
  }
  if (hub.name.size() <= owner + 1 || hub.revision.empty()) return wrong;
  return hub;
}

std::string server() {
  std::string url = environmentText("HF_ENDPOINT");
  if (url.ends_with('/')) url.pop_back();
  return url.empty() ? "https://huggingface.co" : url;
}

/// HF_TOKEN, otherwise the one that `hf auth login` keeps.
std::string token() {
  std::string text = firstOf({"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"});
  if (!text.empty()) return text;
  std::filesystem::path home = environmentText("HF_HOME");
  if (home.empty())
    home = std::filesystem::path(environmentText("HOME")) / ".cache" / "huggingface";
  std::ifstream file(home / "token");
  std::getline(file, text);
  return std::string(trimmed(text));
}

HttpRequest request(std::string url) {
  HttpRequest made{std::move(url), {}};
  if (const std::string secret = token(); !secret.empty())
    made.headers.push_back("Authorization: Bearer " + secret);
  return made;
}

/// The address of `rel="next"` in a Link header.
std::string nextOf(std::string_view link) {
  const std::size_t end = link.find(">; rel=\"next\"");
  if (end == std::string_view::npos) return {};
  const std::size_t begin = link.rfind('<', end);
  return begin == std::string_view::npos ? std::string()
                                         : std::string(link.substr(begin + 1, end - begin - 1));
}

}  // namespace

Result<HttpRequest> object(const RemotePath& path) {
  MILLRACE_ASSIGN_OR_RETURN(const auto hub, hubPath(path));
  return request(fmt::format("{}/datasets/{}/resolve/{}/{}", server(), percentEncoded(hub.name),
                             percentEncoded(hub.revision, ""), percentEncoded(hub.path)));
}

Result<HttpRequest> listing(const ListingRequest& asked) {
  // The token goes to the Hub alone, wherever a page's link leads.
  if (!asked.next.empty() && !asked.next.starts_with(server() + "/"))
    return Error{"the Hub's listing continues at another server"};
  if (!asked.next.empty()) return request(asked.next);
  MILLRACE_ASSIGN_OR_RETURN(auto hub, hubPath(asked.folder));
  if (hub.path.ends_with('/')) hub.path.pop_back();
  return request(fmt::format("{}/api/datasets/{}/tree/{}/{}?recursive={}&expand=false&limit={}",
                             server(), percentEncoded(hub.name), percentEncoded(hub.revision, ""),
                             percentEncoded(hub.path), asked.below ? "true" : "false", asked.most));
}

Result<ObjectPage> page(const ListingRequest& asked, std::string_view body, std::string_view link) {
  MILLRACE_ASSIGN_OR_RETURN(const auto hub, hubPath(asked.folder));
  const std::string before =
      asked.folder.path.substr(0, asked.folder.path.size() - hub.path.size());
  const auto json = parsedJson(body);
  if (!json.is_array()) return Error{"the Hub's answer is not a listing"};
  ObjectPage page;
  for (const auto& entry : json) {
    if (!entry.is_object() || !entry.contains("path") || !entry["path"].is_string() ||
        !entry.contains("type"))
      return Error{"the Hub's listing has an entry without a path"};
    const std::string path = before + entry["path"].get<std::string>();
    if (entry["type"] == "directory") {
      if (!asked.below) page.folders.push_back(path + "/");
      continue;
    }
    const auto size = entry.find("size");
    const bool known = size != entry.end() && size->is_number_unsigned();
    page.objects.push_back({path, known ? size->get<std::uint64_t>() : 0});
  }
  page.next = nextOf(link);
  return page;
}

std::string access() {
  return token().empty() ? "a data set that is gated or private needs HF_TOKEN"
                         : "the token of HF_TOKEN may not read it, or the data set is gated: "
                           "accept its conditions on its page";
}

}  // namespace millrace::hf
