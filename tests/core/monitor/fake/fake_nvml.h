// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

/// What the fake management library answers: a text of `key = value` lines, of all devices, or of
/// one behind "0." or "0.mig0.". Unset values are not supported. Read when the library starts from
/// the file that FAKE_NVML names, and whenever a test sets it.
///
///   devices = 2                 0.name = NVIDIA H200        0.uuid = GPU-...
///   init = 9                    an error in place of a start
///   0.utilisation = 40 30       percent of GPU and of memory
///   0.memory = 1000 400         bytes in all, used
///   0.bus = 500 200             counters: bytes that each call adds, received and transmitted
///   0.counts = 500 200          counters: what they are at, in place of `bus`
///   0.bus_type = 1              how the counters are written, an nvmlValueType_t
///   0.link = 5 16               generation and lanes of the bus
///   0.throughput = 7 8          KB/s received and transmitted
///   0.processes = 10 11         compute; the same for 0.graphics
///   0.mig = 1                   0.mig1.uuid = MIG-...    0.mig1.numbers = 1 0
///   hangs = 1                   the start does not return until a script says otherwise
///   0.KEY = !15                 this call answers with that error
///   lost_after = 30             every call after so many says that the GPU is lost
extern "C" void fakeNvmlScript(const char* text);
/// Calls so far of the function that reads this key.
extern "C" int fakeNvmlCalls(const char* key);
/// How often it was started and not yet shut down.
extern "C" int fakeNvmlUsers();
