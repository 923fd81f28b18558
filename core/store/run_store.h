// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/store/database.h"
#include "core/store/liveness.h"
#include "core/store/run_query.h"
#include "core/store/run_record.h"

namespace millrace {

/// $MILLRACE_STORE, else $XDG_DATA_HOME/millrace/runs.db, else ~/.local/share/millrace/runs.db.
std::filesystem::path defaultStorePath();

/// Key by which a pipeline's text is found: 64-bit FNV-1a in hex, a dash and its length. The store
/// compares the texts as well, so two texts with the same digest remain distinct.
std::string pipelineDigest(std::string_view json);

/// The runs in one file. One thread at a time; a writer and its readers each open their own, in one
/// or several processes. A run is written as it goes: each call is one short transaction that is
/// either completely in the file or not at all, even if the process is killed. Errors name the
/// file; the caller should report one and let the run continue without the store.
class RunStore {
 public:
  /// Most failures stored by name for a run; all are counted.
  static constexpr std::int64_t kMaxFailures = 1000;

  static Result<RunStore> open(const std::filesystem::path& file, const Database::Options& options);
  static Result<RunStore> open(const std::filesystem::path& file) { return open(file, {}); }

  const std::filesystem::path& file() const { return m_database.file(); }

  // Writing. Runs and repeats must be ones that this store returned.

  /// Calls of other functions within `work` become one transaction.
  Status together(const std::function<Status()>& work);
  /// Adds a "running" run with this process as its writer.
  Result<RunNumber> beginRun(const NewRun& run);
  /// Updates the heartbeat; needed at least every kHeartbeatLimit / 2. addWindow does it too.
  Status heartbeat(RunNumber run);
  /// Adds or replaces facts found during the run: fingerprint, page-cache state.
  Status addEnvironment(RunNumber run, std::span<const KeyValue> facts);
  /// `failures`: those since the last call; `total`: all failed samples of the run so far.
  Status addFailures(RunNumber run, std::span<const FailureRecord> failures, std::int64_t total);
  /// `index` counts from 0; each may occur once in a run.
  Result<RepeatId> beginRepeat(RunNumber run, std::int64_t index);
  Status addWindow(RepeatId repeat, const WindowRecord& window);
  /// Appends points in order of time. They are stored as one blob for each ten seconds.
  Status addSeries(RepeatId repeat, std::string_view metric, std::span<const SeriesPoint> points);
  /// Adds the nodes' figures, or replaces those of the same id.
  Status addNodeFigures(RepeatId repeat, std::span<const NodeRecord> nodes);
  Status addQueueFigures(RepeatId repeat, std::span<const QueueRecord> queues);
  Status addSlowest(RepeatId repeat, std::span<const SlowestRecord> samples);
  Status finishRepeat(RepeatId repeat, std::span<const FigureRecord> figures);
  /// Figures of the whole run; replaces those of the same metric. For a running run: the figures so
  /// far.
  Status setRunFigures(RunNumber run, std::span<const FigureRecord> figures);
  /// `state` must not be Running; `reason` may be empty. Open repeats remain unfinished.
  Status finishRun(RunNumber run, RunState state, std::string_view reason,
                   std::span<const FigureRecord> figures);

  // Runs measured together.

  /// Records that the runs, which this store returned, are the sides of one comparison; returns its
  /// id.
  Result<std::int64_t> beginComparison(const ComparisonRecord& comparison);
  Status setReplacedBlocks(std::int64_t comparison, std::int64_t replaced);
  /// The comparison that a run is a side of; nullopt for a run that was measured alone.
  Result<std::optional<ComparisonRecord>> comparisonOf(RunNumber run);
  /// Newest first.
  Result<std::vector<ComparisonRecord>> comparisons(std::int64_t limit);
  /// Sets an interrupted run to "running" with this process as its writer, and keeps its first
  /// `repeats` repeats. An error if the run is finished or another process still writes it.
  Status resumeRun(RunNumber run, std::int64_t repeats);

  // Searches: sweeps and the tuner.

  /// Adds all trials of a search before its first one. Creates the experiment if necessary; an
  /// error if it already has trials.
  Status beginTrials(std::string_view experiment, std::span<const TrialRecord> trials);
  /// Updates the trial at that position, except for its settings.
  Status setTrial(std::string_view experiment, const TrialRecord& trial);
  /// Newest first. Hidden runs are not referenced.
  Result<std::vector<SearchSummary>> searches();

  // Reading. A running run whose writer has died is returned as interrupted.

  Result<std::vector<RunSummary>> list(const RunQuery& query);
  /// Like list, with the number of matching runs and of runs lost to damage: an unreadable page
  /// only loses the runs stored in it. An error if nothing can be read.
  Result<RunList> search(const RunQuery& query);
  /// Reads the data that queries use, newest runs first, so that the first query over many runs
  /// finds it in the page cache. Checks for cancellation every few hundred runs.
  Status warm(const std::function<bool()>& stopped);
  /// Changes, for this object, whenever another connection has changed the file.
  Result<std::int64_t> version();
  /// The settings that any run in this store has had, for parseQuery; without units.
  Result<QueryVocabulary> vocabulary();
  /// The run with this number ("12", "#12"), or whose uid begins with this text (at least 4
  /// characters).
  Result<RunNumber> find(std::string_view which);
  Result<RunDetails> show(RunNumber run);
  Result<std::vector<SeriesPoint>> series(RepeatId repeat, std::string_view metric);
  Result<std::string> pipelineJson(RunNumber run);

  // Labels. An error if the run does not exist.

  Status changeTags(RunNumber run, std::span<const std::string> add,
                    std::span<const std::string> remove);
  Status setName(RunNumber run, std::string_view name);
  Status setNotes(RunNumber run, std::string_view notes);
  /// Makes the run the baseline of its experiment, which has at most one.
  Status setBaseline(RunNumber run);
  /// For the experiment of this name; an error if it does not exist.
  Status clearBaseline(std::string_view experiment);

  // Deleting in two steps: hidden runs are in no list and can be restored, also by other programs,
  // until tidy or removeExpired removes them.

  static constexpr std::chrono::days kHiddenAreKept{30};
  /// An error if one of the runs is still being written; then none is hidden.
  Status hide(std::span<const RunNumber> runs);
  /// Has no effect on runs that are not hidden. An error if one has been removed; then none is
  /// restored.
  Status restore(std::span<const RunNumber> runs);
  /// All hidden runs, those hidden last first.
  Result<std::vector<HiddenRun>> hidden();
  /// Removes runs hidden longer than kHiddenAreKept ago; returns their number.
  Result<std::int64_t> removeExpired();
  /// Removes all hidden runs, except those that another running program has hidden; returns their
  /// number.
  Result<std::int64_t> removeHidden();

  // The file.

  /// Writes a consistent copy to `target`, which must not exist; writers are not blocked.
  Status backup(const std::filesystem::path& target) { return m_database.copyTo(target); }
  struct Tidied {
    std::int64_t removedRuns = 0;
    std::int64_t bytesBefore = 0;
    std::int64_t bytesAfter = 0;
  };
  /// Removes hidden runs (removeHidden) and unused pipelines, experiments and names, and returns
  /// free space to the disk. Needs as much free space again. An error while a run is being written.
  Result<Tidied> tidy();

  // Importing.

  /// Opens another store to import from: read-only, of any version up to ours, never changed.
  static Result<RunStore> openSource(const std::filesystem::path& file);
  enum class Import : std::uint8_t { Added, AlreadyThere, Running, Unreadable };
  /// Copies a run with everything stored about it. Adds nothing if this store has its uid, if the
  /// run is still being written, or if the source is damaged there. A hidden run of this uid is
  /// restored. The run becomes the baseline of
  /// its experiment if it was one and there is none here. It becomes a side of its comparison once
  /// a second side is here. The trials of its search are copied unless the experiment has trials of
  /// another search here. Errors concern this store.
  Result<Import> importRun(RunStore& source, RunNumber run);

 private:
  explicit RunStore(Database database) : m_database(std::move(database)), m_self(thisWriter()) {}

  Result<std::int64_t> experimentNamed(const std::string& name, std::int64_t now);
  Result<std::int64_t> pipelineOf(const std::string& json);
  Result<std::int64_t> insertRun(const NewRun& run);
  Status insertSettings(std::int64_t run, std::span<const SettingRecord> settings);
  Status appendToChunk(std::int64_t repeat, std::string_view metric, std::int64_t chunk,
                       std::span<const SeriesPoint> points);
  Status readSides(ComparisonRecord& comparison);
  Result<std::string> goneRuns();
  Result<std::vector<std::int64_t>> matchingRuns(const RunQuery& query, const std::string& gone,
                                                 std::optional<std::string> among);
  Result<std::vector<std::int64_t>> readableRuns(const RunQuery& query, const std::string& gone,
                                                 RunList& list);
  Result<std::optional<RunSummary>> summaryOfRun(std::int64_t run);
  Status demandRun(RunNumber run);
  Result<std::optional<std::int64_t>> writtenNow(std::span<const RunNumber> runs);
  Status removeRuns(const std::vector<std::int64_t>& runs);
  Result<std::int64_t> removeLeftovers();
  Status readRun(std::int64_t run, RunDetails& details);
  Status readRepeats(std::int64_t run, RunDetails& details);
  Status readRepeat(RepeatRecord& repeat, RunDetails& details);
  Status tolerate(const Status& read, std::string_view part, RunDetails& details);

  Database m_database;
  WriterId m_self;
};

}  // namespace millrace
