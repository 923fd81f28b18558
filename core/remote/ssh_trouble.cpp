// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/ssh_trouble.h"

#include <array>

#include <fmt/format.h>

#include "core/base/text/shell_word.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_text.h"
#include "core/base/version.h"

namespace millrace {

namespace {

struct KnownTrouble {
  std::string_view text;      ///< in what `ssh` printed
  std::string_view sentence;  ///< {0} is the host
};

/// OpenSSH's messages; they are never translated. The first that occurs counts.
constexpr std::array<KnownTrouble, 14> kKnown = {{
    {"REMOTE HOST IDENTIFICATION HAS CHANGED",
     "the host key of {0} has changed. If the machine was set up again, remove the old key with "
     "`ssh-keygen -R` and log in once with `ssh {0}`. If not, another machine may be answering"},
    {"Host key verification failed",
     "the host key of {0} is not known yet: log in once with `ssh {0}` and confirm it"},
    {"Could not resolve hostname",
     "the host {0} is not known: check the name, or add it to ~/.ssh/config"},
    {"Name or service not known",
     "the host {0} is not known: check the name, or add it to ~/.ssh/config"},
    {"Too many authentication failures",
     "{0} refused the login after too many keys: name the right one with IdentityFile and "
     "IdentitiesOnly in ~/.ssh/config"},
    {"Permission denied",
     "{0} refused the login: `ssh {0}` has to work without a question, with a key that is copied "
     "there by `ssh-copy-id {0}`, or held by ssh-agent"},
    {"Connection refused",
     "{0} refused the connection: check that an ssh server runs there, and its port in "
     "~/.ssh/config"},
    {"timed out", "{0} does not answer: check that it is switched on and can be reached"},
    {"No route to host", "{0} cannot be reached from this network: check the network or the VPN"},
    {"Network is unreachable",
     "{0} cannot be reached from this network: check the network or the VPN"},
    {"Bad configuration option", "`ssh` does not accept its configuration: try `ssh {0}`"},
    {"bad configuration options", "`ssh` does not accept its configuration: try `ssh {0}`"},
    {"onnection reset by", "{0} closed the connection before the login: try `ssh {0}`"},
    {"onnection closed by", "{0} closed the connection before the login: try `ssh {0}`"},
}};

std::string lastLineOf(std::string_view errors) {
  const std::string_view text = trimmed(errors);
  const std::size_t end = text.rfind('\n');
  return visibleText(trimmed(end == std::string_view::npos ? text : text.substr(end + 1)));
}

bool says(std::string_view errors, std::string_view text) {
  return errors.find(text) != std::string_view::npos;
}

/// Of sh, bash, zsh and dash; of csh; of fish; of exec with a path.
bool saysNotFound(std::string_view errors) {
  return says(errors, "not found") || says(errors, "Unknown command") ||
         says(errors, "No such file") || says(errors, "cannot execute");
}

std::string otherVersion(const SshSettings& settings, const std::string& there) {
  return fmt::format(
      "{} on {} is {}, and this one is {}: install the same version on both machines, or name "
      "another program there by the setting `on_program`",
      visibleText(settings.program), settings.host, there, engineVersion());
}

}  // namespace

std::string sshTrouble(const SshSettings& settings, int code, std::string_view errors) {
  if (code == kSshFailed) {
    for (const KnownTrouble& known : kKnown)
      if (says(errors, known.text)) return fmt::format(fmt::runtime(known.sentence), settings.host);
    const std::string last = lastLineOf(errors);
    return fmt::format("`ssh {0}` failed{1}{2}: try it alone", settings.host,
                       last.empty() ? "" : " and reports: ", last);
  }
  if (code == 127 || code == 126 || saysNotFound(errors))
    return fmt::format(
        "there is no program {0} on {1}: install Millrace {2} there, or name its path by "
        "the setting `on_program`",
        visibleText(settings.program), settings.host, engineVersion());
  // An older program does not know the command that this one starts.
  if (says(errors, kRemoteCommand)) return otherVersion(settings, "another version");
  const std::string last = lastLineOf(errors);
  return fmt::format(
      "{0} on {1} did not answer as Millrace does (exit code {2}{3}{4}): check what `ssh {1} {5}` "
      "prints",
      visibleText(settings.program), settings.host, code, last.empty() ? "" : ", ", last,
      shellWord(settings.program));
}

std::string greetingTrouble(const SshSettings& settings, const RemoteGreeting& greeting) {
  const std::string here = engineVersion();
  if (greeting.version == here && greeting.protocol == kRemoteProtocol) return {};
  return otherVersion(settings, greeting.version == here
                                    ? "another build of " + here
                                    : "version " + visibleText(greeting.version));
}

std::string lostTrouble(const SshSettings& settings, std::string_view errors) {
  const std::string last = lastLineOf(errors);
  return fmt::format("the connection to {} was lost, or the program there was killed{}{}",
                     settings.host, last.empty() ? "" : ": ", last);
}

}  // namespace millrace
