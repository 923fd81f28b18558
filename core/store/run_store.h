// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// MILLRACE_STORE, else $XDG_DATA_HOME/millrace/runs.db, else ~/.local/share/millrace/runs.db.
std::filesystem::path defaultStorePath();

/// Digest by which a pipeline's text is found again: 64-bit FNV-1a in hex, a dash and its length.
/// The store compares the texts too, so that two texts of one digest stay two.
std::string pipelineDigest(std::string_view json);

/// The runs in one file. One thread at a time; a writer and its readers each open their own, in
/// one or many processes. A run is written as it goes: each call is one short transaction that is
/// whole in the file or not there at all, whatever kills the process. An error names the file; the
/// run that is written goes on without it, its writer says so once.
class RunStore {
 public:
  /// The most failures kept by name for a run; all are counted.
  static constexpr std::int64_t kMaxFailures = 1000;

  static Result<RunStore> open(const std::filesystem::path& file, const Database::Options& options);
  static Result<RunStore> open(const std::filesystem::path& file) { return open(file, {}); }

  const std::filesystem::path& file() const { return m_database.file(); }

  // Writing. Runs and repeats are those that this store gave.

  /// `work` calls functions below, which become one transaction: whole in the file or not there.
  Status together(const std::function<Status()>& work);
  /// The run is "running", with this process as its writer.
  Result<RunNumber> beginRun(const NewRun& run);
  /// Says that the writer lives; at least every kHeartbeatLimit / 2. addWindow does it too.
  Status heartbeat(RunNumber run);
  /// Adds or replaces what became known while running: fingerprint, page-cache state.
  Status addEnvironment(RunNumber run, std::span<const KeyValue> facts);
  /// Failures since the last call; `total` counts all failed samples of the run so far.
  Status addFailures(RunNumber run, std::span<const FailureRecord> failures, std::int64_t total);
  /// `index` from 0, each once a run.
  Result<RepeatId> beginRepeat(RunNumber run, std::int64_t index);
  Status addWindow(RepeatId repeat, const WindowRecord& window);
  /// Appends points in order of time. They are kept as one blob for each ten seconds.
  Status addSeries(RepeatId repeat, std::string_view metric, std::span<const SeriesPoint> points);
  /// Adds the nodes' figures, or replaces those with the same id.
  Status addNodeFigures(RepeatId repeat, std::span<const NodeRecord> nodes);
  Status addQueueFigures(RepeatId repeat, std::span<const QueueRecord> queues);
  Status finishRepeat(RepeatId repeat, std::span<const FigureRecord> figures);
  /// Of the run as a whole; replaces those of the same metric. A run that goes on has what it has
  /// come to so far.
  Status setRunFigures(RunNumber run, std::span<const FigureRecord> figures);
  /// `state` is not Running; `reason` may be empty. Open repeats stay unfinished.
  Status finishRun(RunNumber run, RunState state, std::string_view reason,
                   std::span<const FigureRecord> figures);

  // Runs measured together.

  /// Says that the record's runs, which this store gave, are the sides of one comparison; its id.
  Result<std::int64_t> beginComparison(const ComparisonRecord& comparison);
  Status setReplacedBlocks(std::int64_t comparison, std::int64_t replaced);
  /// The comparison that a run is a side of; nothing for a run that was measured alone.
  Result<std::optional<ComparisonRecord>> comparisonOf(RunNumber run);
  /// The newest first.
  Result<std::vector<ComparisonRecord>> comparisons(std::int64_t limit);
  /// The run is "running" again, with this process as its writer, and keeps its first `repeats`
  /// repeats. An error when it is finished, or somebody still writes it.
  Status resumeRun(RunNumber run, std::int64_t repeats);

  // Searches: sweeps and the tuner.

  /// Writes down all that a search will try, before its first trial. The experiment is made where
  /// it is not there; an error where it has trials already.
  Status beginTrials(std::string_view experiment, std::span<const TrialRecord> trials);
  /// The trial at that position says this from now on; its settings stay as they are.
  Status setTrial(std::string_view experiment, const TrialRecord& trial);
  /// The newest first. A hidden run is no trial's.
  Result<std::vector<SearchSummary>> searches();

  // Reading. A run whose writer has died reads as interrupted.

  Result<std::vector<RunSummary>> list(const RunQuery& query);
  /// As list, and says how many there are and what a damaged file does not give: one page that
  /// cannot be read costs the runs in it alone. An error where nothing can be read.
  Result<RunList> search(const RunQuery& query);
  /// Reads what queries look into once, the newest runs first, so that the first query about many
  /// runs finds it in the page cache. Between some hundred runs it asks whether to end.
  Status warm(const std::function<bool()>& stopped);
  /// Another number than before, on this object, when anybody else has changed the file meanwhile.
  Result<std::int64_t> version();
  /// The settings that any run here has had, for parseQuery; units are not known here.
  Result<QueryVocabulary> vocabulary();
  /// The run with this number ("12", "#12"), or whose uid begins so (4 characters or more).
  Result<RunNumber> find(std::string_view which);
  Result<RunDetails> show(RunNumber run);
  Result<std::vector<SeriesPoint>> series(RepeatId repeat, std::string_view metric);
  Result<std::string> pipelineJson(RunNumber run);

  // Labels. A run that is not there is an error.

  Status changeTags(RunNumber run, std::span<const std::string> add,
                    std::span<const std::string> remove);
  Status setName(RunNumber run, std::string_view name);
  Status setNotes(RunNumber run, std::string_view notes);
  /// Each experiment has at most one: this run becomes its own experiment's.
  Status setBaseline(RunNumber run);
  /// Of the experiment with this name; an error where there is no such experiment.
  Status clearBaseline(std::string_view experiment);

  // Deleting in two steps: hidden runs are on no list and can be shown again until they are
  // removed. Those that a program hid and left behind when it died go with the next removal.

  /// Error, and nothing is hidden, when one of them is still being written.
  Status hide(std::span<const RunNumber> runs);
  Status restore(std::span<const RunNumber> runs);
  /// Removes what this process has hidden, and what programs that have died had; how many.
  Result<std::int64_t> removeHidden();

  // The file.

  /// Writes a copy as of one moment to `target`, which must not exist; writers go on.
  Status backup(const std::filesystem::path& target) { return m_database.copyTo(target); }
  struct Tidied {
    std::int64_t removedRuns = 0;
    std::int64_t bytesBefore = 0;
    std::int64_t bytesAfter = 0;
  };
  /// Removes hidden runs, and pipelines, experiments and names that no run uses, and gives free
  /// space back to the disk. Needs as much free space again. An error while a run is written.
  Result<Tidied> tidy();

  // Importing.

  /// Another store to import from: read only, of any version up to ours, never changed.
  static Result<RunStore> openSource(const std::filesystem::path& file);
  enum class Import : std::uint8_t { Added, AlreadyThere, Running, Unreadable };
  /// Copies one run with all that is kept of it, unless this store has its uid, it is still being
  /// written, or the source is damaged there: then nothing is added. It becomes its experiment's
  /// baseline where it was and there is none here. It is a side of its comparison again once a
  /// second side is here. The trials of its search come along, unless the experiment has those of
  /// another one here. An error is of this store.
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
  Result<std::int64_t> removeLeftovers();
  Status readRun(std::int64_t run, RunDetails& details);
  Status readRepeats(std::int64_t run, RunDetails& details);
  Status readRepeat(RepeatRecord& repeat, RunDetails& details);
  Status tolerate(const Status& read, std::string_view part, RunDetails& details);

  Database m_database;
  WriterId m_self;
};

}  // namespace millrace
