// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

namespace millrace {

/// Seconds for a cache line to go from one core to another and back: about 60 ns within a group of
/// cores that share a cache, several hundred between groups or sockets. Threads that exchange small
/// items run at this speed. The host of a virtual machine may move its cores between groups without
/// notice; then such threads run at half speed for seconds, although each core computes as fast as
/// before. Measured between the first two cores that the process may use; nullopt if there is only
/// one, or if the two threads cannot run at the same time because of other work. Takes 1 ms, on two
/// separate threads. Any thread.
std::optional<double> interCoreLatencySeconds();

/// The smallest latency that this process has seen, which is taken as the usual one. nullopt before
/// the first measurement. Any thread.
std::optional<double> usualInterCoreLatency();
/// Adds a smaller latency seen by another process.
void noteInterCoreLatency(double seconds);

/// Share of the usual speed that is lost at `seconds`: 0.5 if the latency is twice the usual one.
double interCoreLatencyChange(double seconds, double usual);

/// About the duration of such an episode.
inline constexpr double kMostCoreWaitSeconds = 10;

/// To be called before a measurement. Returns when the latency is close to the usual one
/// (kDisturbedExchange), when `stopped` returns true, or after kMostCoreWaitSeconds; then the
/// current latency becomes the new usual one. `waits` is called once if it does not return at once.
/// Any thread.
void awaitUsualInterCoreLatency(const std::function<bool()>& stopped,
                                const std::function<void()>& waits = {});

}  // namespace millrace
