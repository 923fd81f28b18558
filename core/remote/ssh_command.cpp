// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_command.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>

#include <fmt/format.h>

#include "core/base/text/shell_word.h"
#include "core/base/text/visible_text.h"
#include "core/base/user_folder.h"
#include "core/remote/remote_words.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHostLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-@:/[]%+";

/// `ssh` adds a slash, a hash of 40 letters, and 18 letters while it makes the socket; the kernel
/// takes paths of 107 bytes.
constexpr std::size_t kLongestSocketFolder = 107 - 1 - 40 - 18;

/// `ssh` reads quotes, blanks and variables in this option.
bool isPlainPath(const std::string& path) {
  return path.find_first_of("\"'\\ \t\n$%") == std::string::npos;
}

bool isPrivate(const fs::path& folder) {
  struct stat status{};
  return ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == ::geteuid() && (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

/// The program as a word of a POSIX shell that still replaces a leading `~/`.
std::string programWord(const std::string& program) {
  if (program.starts_with("~/")) return "~/" + shellWord(program.substr(2));
  return shellWord(program);
}

}  // namespace

Status checkHost(std::string_view host) {
  if (host.empty() || host.front() == '-' ||
      host.find_first_not_of(kHostLetters) != std::string_view::npos)
    return Error{fmt::format(
        "`{}` is not a host: give what `ssh` takes, such as gpu1, user@gpu1 or an alias of "
        "~/.ssh/config",
        visibleText(host))};
  return {};
}

fs::path socketFolder() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  const bool usable = runtime != nullptr && *runtime == '/';
  const fs::path folder = (usable ? fs::path(runtime) / "millrace" : userCacheFolder()) / "ssh";
  const std::string text = folder.string();
  if (text.size() > kLongestSocketFolder || !isPlainPath(text)) return {};
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  ::mkdir(folder.c_str(), S_IRWXU);
  return isPrivate(folder) ? folder : fs::path();
}

std::vector<std::string> sshCommand(const SshSettings& settings) {
  std::vector<std::string> words = {"ssh", "-T", "-x", "-a"};
  if (!settings.config.empty()) {
    words.emplace_back("-F");
    words.push_back(settings.config.string());
  }
  const auto option = [&words](std::string text) {
    words.emplace_back("-o");
    words.push_back(std::move(text));
  };
  if (!settings.asks) option("BatchMode=yes");
  option("ConnectTimeout=30");
  option("ServerAliveInterval=10");
  option("ServerAliveCountMax=3");
  // Login banners are no errors.
  option("LogLevel=ERROR");
  option("RemoteCommand=none");
  option("ClearAllForwardings=yes");
  option("PermitLocalCommand=no");
  if (!settings.sockets.empty()) {
    option("ControlMaster=auto");
    option(fmt::format("ControlPath={}/%C", settings.sockets.string()));
    option("ControlPersist=30");
  }
  words.emplace_back("--");
  words.push_back(settings.host);
  words.push_back(fmt::format("exec {} {}", programWord(settings.program), kRemoteCommand));
  return words;
}

}  // namespace millrace
