// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/remote/remote_words.h"
#include "core/remote/ssh_command.h"

namespace millrace {

/// The exit code that is `ssh`'s own.
inline constexpr int kSshFailed = 255;

/// Why `ssh` ended before the program there had greeted, as a sentence with a remedy. `errors` is
/// what came on its standard error. Pure.
std::string sshTrouble(const SshSettings& settings, int code, std::string_view errors);

/// Why the program that greeted cannot be used, as a sentence with a remedy; empty if it can. Pure.
std::string greetingTrouble(const SshSettings& settings, const RemoteGreeting& greeting);

/// Why a program that had begun ended without an exit code.
std::string lostTrouble(const SshSettings& settings, std::string_view errors);

}  // namespace millrace
