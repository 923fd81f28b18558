// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace millrace {

/// The command by which a `millrace` on another machine is started.
inline constexpr std::string_view kRemoteCommand = "__remote";

/// The program there ends itself if it hears nothing for the limit. The program here writes an
/// empty line in between.
inline constexpr std::chrono::seconds kRemoteSilenceLimit{60};
inline constexpr std::chrono::seconds kRemoteBeat{10};

/// The first line that the program on the other machine prints.
struct RemoteGreeting {
  int protocol = 0;     ///< version of what both programs say to each other
  std::string version;  ///< of the program there
  std::string machine;  ///< the host's own name
};
/// Raised when the greeting or the request changes its meaning.
inline constexpr int kRemoteProtocol = 2;

/// The greeting of this program on this machine, with its newline.
std::string greetingLine();
/// Finds the greeting in what a login printed, and removes it and everything before it. nullopt: it
/// has not come yet.
std::optional<RemoteGreeting> takeGreeting(std::string& printed);

/// What the program there is asked to do. Any bytes may occur in arguments and documents.
struct RemoteRequest {
  std::vector<std::string> words;  ///< arguments of the command line, without the program
  /// Pipeline documents by the names that stand for them in `words`.
  std::vector<std::pair<std::string, std::string>> documents;
  std::optional<std::size_t> columns;  ///< width of the terminal; nullopt: no terminal
  bool colours = false;
  std::string program = "millrace";  ///< how a command for that machine begins here
};

/// A request is at most this long, and so are the documents in it.
inline constexpr std::size_t kLongestRemoteRequest = 64U << 20U;

/// The bytes of a request. Pure.
std::string requestBytes(const RemoteRequest& request);
/// Removes a complete request from the beginning of what was received. nullopt: the rest has not
/// come yet. An error if the bytes are no request.
Result<std::optional<RemoteRequest>> takeRequest(std::string& received);

}  // namespace millrace
