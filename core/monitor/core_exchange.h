// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

namespace millrace {

/// Seconds that a line of memory takes from one core to another and back: some 60 ns within a
/// group of cores that share a cache, several hundred from one group or socket to the next. Threads
/// that hand each other small things run at its pace. The host of a virtual machine moves its cores
/// between groups, and tells nobody: for seconds such threads do half of what they did, though each
/// core computes as fast as ever. Between the first two cores that the process may use; absent
/// where there is one, or where other work keeps them from meeting. Takes 1 ms, on two threads of
/// its own. Any thread.
std::optional<double> coreExchangeSeconds();

/// The least that this process has seen: what it takes usually. Absent before the first look. Any
/// thread.
std::optional<double> usualCoreExchange();
/// Another process has seen this little before.
void noteCoreExchange(double seconds);

/// Share of the usual time's rate that is lost at `seconds`: 0.5 where it takes twice as long.
double coreExchangeChange(double seconds, double usual);

/// About what an episode lasts.
inline constexpr double kMostCoreWaitSeconds = 10;

/// Before a measurement: returns when the exchange is about as fast as usual (kDisturbedExchange),
/// when `stopped` says so, or after kMostCoreWaitSeconds: then it is as it is now for good, and
/// that is usual from now on. `waits` is called once, where it does not return at once. Any thread.
void awaitUsualCoreExchange(const std::function<bool()>& stopped,
                            const std::function<void()>& waits = {});

}  // namespace millrace
