// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/result.h"
#include "core/graph/plan.h"
#include "core/run/executor.h"
#include "core/spec/catalog.h"

namespace millrace::tests {

/// The built-in kinds and these, which only tests use; `tint`, `broken`, `stamp` and `twice` also
/// run on an emulated device:
///   `words`     source of encoded bytes: (index % 7) * `unit` bytes, so none for every seventh;
///               reads of the indices in `failing` fail, at `throwing` they throw, at `gated` they
///               block until gate().open() is called; has `read_ahead`
///   `tint`      adds `amount` (live) to every byte of the first field, in place
///   `chaos`     yields the processor at random, by a draw
///   `broken`    fails for the indices in `samples`; with `throws` it throws
///   `gate`      blocks sample `sample` of epoch 0 until gate().open() is called
///   `keep`      a cache of at most `limit` samples
///   `stamp`     batch operation: adds each row's number to its first field, records its thread
///   `laps`      counts for each thread, see `everyThreadIsWarm`
///   `nap`       sleeps 4 ms for every `one_in`-th index, else 20 us; see `napsAhead`
///   `twice`     replaces the first field by its bytes twice
///   `long_step` consumer whose step takes `seconds` (live), which is also its nominal duration
const Catalog& runCatalog();

/// What the test kinds `gate` and `stamp` share with the test. Thread-safe (monitor).
class Gate {
 public:
  void close();
  void open();
  /// Waits for `open`, at most 30 s.
  void pass();
  /// Waits until a thread waits in `pass`, at most 30 s; false if none came.
  bool waitForVisitor();

 private:
  Mutex m_mutex;
  Condition m_changed;
  bool m_closed MILLRACE_GUARDED_BY(m_mutex) = false;
  bool m_visited MILLRACE_GUARDED_BY(m_mutex) = false;
};
Gate& gate();
/// Names of the threads that ran `stamp` since the last call.
std::vector<std::string> takeStampThreads();

/// Whether every `laps` operation made since `forgetLaps` processed at least 200 samples: its
/// thread runs and its buffers have grown.
bool everyThreadIsWarm();
void forgetLaps();

/// How many samples began in a `nap` clearly before their turn since `forgetNaps`, if the order is
/// that of the source and its parameter `count` is the number of samples.
unsigned napsAhead();
void forgetNaps();

struct PlanSettings {
  std::uint64_t seed = 5;
  bool fuse = true;
  bool noRandom = false;
};
/// The plan of a chain written as one node a line, `kind {parameters}`: read, checked with its data
/// and lowered as the program does. The error lists all problems.
Result<Plan> planOf(const std::string& chain, const PlanSettings& settings = {});
/// The pipeline document of `chain`. Choices get no wires.
std::string documentOf(const std::string& chain, std::uint64_t seed = 5);

/// A batch as the consumer received it.
struct SeenBatch {
  std::uint32_t epoch = 0;
  std::uint32_t index = 0;
  std::size_t rows = 0;
  std::vector<SampleKey> keys;
  std::uint64_t digest = 0;  ///< over all fields' types, shapes and bytes, and the keys
  bool operator==(const SeenBatch&) const = default;
};
std::uint64_t digestOf(const Batch& batch);
SeenBatch seen(const Batch& batch);

struct Outcome {
  RunEnd end = RunEnd::Finished;
  std::string error;
  std::vector<SeenBatch> batches;
  RunTotals totals;
  std::vector<FailedSample> failures;
};
/// Makes an executor and runs it; `atBatch` may stop it.
Outcome runPlan(const Plan& plan, const ExecutorOptions& options, const CacheSet& caches,
                const std::function<void(Executor&, const Batch&)>& atBatch = {});
Outcome runPlan(const Plan& plan, const ExecutorOptions& options);
/// The same from a chain; if its plan cannot be made, the run counts as failed.
Outcome runChain(const std::string& chain, const ExecutorOptions& options,
                 const PlanSettings& settings = {});
ExecutorOptions epochs(std::uint64_t count);
ExecutorOptions batches(std::uint64_t count);
ExecutorOptions withFailures(ExecutorOptions options, std::uint64_t count);

/// The line of a chain that opens a region of `count` threads; `more` has the form ", key: value".
std::string workers(int count, const std::string& more = "");
/// The samples that arrived in an epoch, by index in the source.
std::multiset<std::uint32_t> indices(const Outcome& outcome, std::uint32_t epoch);
/// The number of rows of each batch that arrived.
std::vector<std::size_t> rows(const Outcome& outcome);

/// Writes `count` small pictures, JPEG and PNG, into class folders below `folder`.
void writePictures(const std::filesystem::path& folder, int count);

}  // namespace millrace::tests
