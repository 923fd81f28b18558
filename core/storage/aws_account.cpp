// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/storage/aws_account.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "core/base/mutex.h"
#include "core/base/text/text.h"
#include "core/storage/environment.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

AwsSections readFile(const char* variable, const char* usual) {
  fs::path file = environmentText(variable);
  if (file.empty()) file = fs::path(environmentText("HOME")) / usual;
  std::ifstream stream(file, std::ios::binary);
  constexpr std::size_t kMost = std::size_t{1} << 20U;
  std::string text(kMost, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(kMost));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
  return parseAwsFile(text);
}

/// The settings of one profile: those of ~/.aws/credentials before those of ~/.aws/config.
class Profile {
 public:
  Profile() {
    m_name = firstOf({"AWS_PROFILE", "AWS_DEFAULT_PROFILE"});
    m_isNamed = !m_name.empty();
    if (!m_isNamed) m_name = "default";
    add(readFile("AWS_SHARED_CREDENTIALS_FILE", ".aws/credentials"), m_name);
    const AwsSections config = readFile("AWS_CONFIG_FILE", ".aws/config");
    add(config, "profile " + m_name);
    add(config, m_name);
  }

  std::string operator[](const std::string& setting) const {
    const auto found = m_settings.find(setting);
    return found == m_settings.end() ? std::string() : found->second;
  }
  const std::string& name() const { return m_name; }
  bool isMissing() const { return m_isNamed && !m_isFound; }

 private:
  void add(const AwsSections& sections, const std::string& name) {
    const auto found = sections.find(name);
    if (found == sections.end()) return;
    m_isFound = true;
    m_settings.insert(found->second.begin(), found->second.end());
  }

  std::string m_name;
  bool m_isNamed = false;
  bool m_isFound = false;
  std::map<std::string, std::string> m_settings;
};

bool isOn(const std::string& text) {
  const std::string low = lowerCase(text);
  return !low.empty() && low != "0" && low != "false" && low != "no";
}

/// The keys, or nullopt if there are none.
Result<std::optional<AwsKeys>> keysOf(const Profile& profile) {
  if (isOn(environmentText("AWS_NO_SIGN_REQUEST"))) return std::optional<AwsKeys>();
  AwsKeys keys{environmentText("AWS_ACCESS_KEY_ID"), environmentText("AWS_SECRET_ACCESS_KEY"),
               environmentText("AWS_SESSION_TOKEN")};
  const bool byEnvironment = !keys.id.empty() && environmentText("AWS_PROFILE").empty();
  if (!byEnvironment) {
    if (profile.isMissing())
      return Error{
          fmt::format("there is no profile `{}` in ~/.aws; set AWS_PROFILE to one that is "
                      "there",
                      validUtf8(profile.name()))};
    keys = {profile["aws_access_key_id"], profile["aws_secret_access_key"],
            profile["aws_session_token"]};
  }
  if (keys.id.empty() != keys.secret.empty())
    return Error{byEnvironment
                     ? "AWS_ACCESS_KEY_ID is set without AWS_SECRET_ACCESS_KEY; set both"
                     : fmt::format("the profile `{}` in ~/.aws has only one half of its keys",
                                   validUtf8(profile.name()))};
  if (!keys.id.empty()) return std::optional(std::move(keys));
  for (const char* other : {"sso_session", "sso_start_url", "role_arn", "credential_process"})
    if (!profile[other].empty())
      return Error{fmt::format(
          "the profile `{}` in ~/.aws gets its keys by {}, which Millrace does not do itself; "
          "set AWS_ACCESS_KEY_ID and the others to what `aws configure export-credentials` prints",
          validUtf8(profile.name()), other)};
  return std::optional<AwsKeys>();
}

Result<AwsAccount> readAccount() {
  const Profile profile;
  AwsAccount account;
  MILLRACE_ASSIGN_OR_RETURN(account.keys, keysOf(profile));
  const std::string region = firstOf({"AWS_REGION", "AWS_DEFAULT_REGION"});
  if (!region.empty())
    account.region = region;
  else if (!profile["region"].empty())
    account.region = profile["region"];
  account.endpoint = firstOf({"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"});
  if (account.endpoint.empty()) account.endpoint = profile["s3.endpoint_url"];
  if (account.endpoint.empty()) account.endpoint = profile["endpoint_url"];
  if (account.endpoint.ends_with('/')) account.endpoint.pop_back();
  const std::string style = profile["s3.addressing_style"];
  account.bucketInHost = style == "virtual" || (style != "path" && account.endpoint.empty());
  return account;
}

/// What of the environment decides.
std::string settingsText() {
  std::string text;
  for (const char* name :
       {"HOME", "AWS_PROFILE", "AWS_DEFAULT_PROFILE", "AWS_SHARED_CREDENTIALS_FILE",
        "AWS_CONFIG_FILE", "AWS_NO_SIGN_REQUEST", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL_S3",
        "AWS_ENDPOINT_URL"})
    text.append(environmentText(name)).push_back('\n');
  return text;
}

}  // namespace

AwsSections parseAwsFile(std::string_view text) {
  AwsSections sections;
  std::map<std::string, std::string>* section = nullptr;
  std::string outer;
  for (const std::string& line : split(text, '\n')) {
    const std::string_view content = trimmed(line);
    if (content.empty() || content.front() == '#' || content.front() == ';') continue;
    if (content.front() == '[') {
      section = &sections[std::string(trimmed(content.substr(1, content.find(']') - 1)))];
      continue;
    }
    const std::size_t equals = content.find('=');
    if (section == nullptr || equals == std::string_view::npos) continue;
    const std::string name = lowerCase(trimmed(content.substr(0, equals)));
    const std::string value(trimmed(content.substr(equals + 1)));
    const bool isNested = line.front() == ' ' || line.front() == '\t';
    if (!isNested) outer = name;
    (*section)[isNested ? fmt::format("{}.{}", outer, name) : name] = value;
  }
  return sections;
}

Result<AwsAccount> awsAccount() {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds kKept{60};
  static Mutex mutex;
  static std::optional<AwsAccount> kept;
  static Clock::time_point until;
  static std::string keptFor;
  const std::string wanted = settingsText();
  const MutexLock lock(mutex);
  if (kept && keptFor == wanted && Clock::now() < until) return *kept;
  MILLRACE_ASSIGN_OR_RETURN(kept, readAccount());
  until = Clock::now() + kKept;
  keptFor = wanted;
  return *kept;
}

}  // namespace millrace
