// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>

namespace millrace {

/// Where an address leads.
enum class AddressKind {
  Public,
  Local,     ///< the own machine, or a private network
  Metadata,  ///< where clouds give credentials to their machines, and other link-local addresses
};
AddressKind kindOf(const sockaddr& address);

}  // namespace millrace
