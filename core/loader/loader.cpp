// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/loader/loader.h"
#include "core/transfer/transfer_worker.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/loader/loader_session.h"
#include "core/monitor/fingerprint.h"
#include "core/nodes/builtin.h"
#include "core/store/run_origin.h"

namespace millrace {

namespace {

/// Errors with their remedies, one per line.
std::string errorLines(const Problems& problems) {
  std::vector<std::string> lines;
  for (const Problem& problem : problems.all())
    if (problem.severity == Severity::Error) {
      Problem bare = problem;
      bare.remedy.clear();
      std::string line = bare.text();
      if (line.starts_with("error: ")) line.erase(0, 7);
      lines.push_back(problem.remedy.empty() ? line : line + "; " + problem.remedy);
    }
  return validUtf8(join(lines, "\n"));
}

std::vector<std::string> warningLines(const Problems& problems) {
  std::vector<std::string> lines;
  for (const Problem& problem : problems.all())
    if (problem.severity == Severity::Warning) lines.push_back(validUtf8(problem.text()));
  return lines;
}

/// Adds a warning if the pipeline had to be changed.
bool goToDevice(Graph& graph, Problems& problems) {
  auto moved = withTransfer(std::move(graph), builtinCatalog());
  if (!moved) {
    problems.error("", "device", moved.error().message, "");
    return false;
  }
  if (!moved->changed.empty())
    problems.warning("", "device", moved->changed,
                     "place the transfer node yourself; the nodes after it run on the GPU");
  graph = std::move(moved->graph);
  return true;
}

std::optional<PreparedPipeline> prepare(const LoaderOptions& options, Problems& problems) {
  std::optional<LoadedPipeline> loaded = loadRequest(options.request, problems);
  if (!loaded) return std::nullopt;
  if (options.shard) {
    auto sharded = withShard(std::move(loaded->graph), builtinCatalog(), *options.shard);
    if (!sharded) {
      problems.error("", "shard", sharded.error().message, "");
      return std::nullopt;
    }
    loaded->graph = sharded.take();
  }
  if (options.place.place == Place::Device && !goToDevice(loaded->graph, problems))
    return std::nullopt;
  PlanOptions plan;
  plan.fuse = !options.request.noFuse;
  plan.consumerApart = true;
  const DeviceUse use =
      options.place.place == Place::Device ? DeviceUse::Detect : DeviceUse::HostOnly;
  auto prepared = prepareLoaded(std::move(*loaded), options.request, plan, use, problems);
  if (!prepared) return std::nullopt;
  PlanQueue& last = prepared->plan.queues.back();
  MILLRACE_CHECK((last.place == Place::Device) == (options.place.place == Place::Device),
                 "batches are in the memory that the program asked for");
  last.slotCount += options.held;
  last.place = options.place.place;
  return prepared;
}

}  // namespace

Loader::Loader(const LoaderOptions& options, std::shared_ptr<Device> device,
               PreparedPipeline prepared, std::vector<std::string> warnings)
    : m_options(options),
      m_device(std::move(device)),
      m_user(m_device ? std::make_shared<DeviceUser>(m_device) : nullptr),
      m_prepared(std::make_shared<const PreparedPipeline>(std::move(prepared))),
      m_warnings(std::move(warnings)),
      m_stride(divisionOf(m_prepared->graph, builtinCatalog()).world *
               static_cast<std::uint64_t>(m_prepared->plan.batch.size)) {}

Loader::~Loader() {
  const MutexLock lock(m_mutex);
  m_pending = {};
  if (m_session) m_session->executor->finish();
  if (m_recorder) m_recorder->ends();
}

void Loader::close() {
  const MutexLock lock(m_mutex);
  m_closed = true;
  if (m_session) m_session->executor->cancel();
}

std::unique_ptr<Loader> Loader::open(const LoaderOptions& options, LoaderError& error) {
  auto device = options.place.open();
  if (!device) {
    error = {LoaderFault::Input, validUtf8(device.error().message)};
    return nullptr;
  }
  Problems problems;
  std::optional<PreparedPipeline> prepared = prepare(options, problems);
  if (!prepared) {
    error = {LoaderFault::Input, errorLines(problems)};
    return nullptr;
  }
  std::unique_ptr<Loader> loader(
      new Loader(options, device.take(), std::move(*prepared), warningLines(problems)));
  Status ready = loader->makeCaches();
  if (ready) ready = loader->openRecord();
  const MutexLock lock(loader->m_mutex);
  if (ready) ready = loader->begin({});
  if (!ready) {
    error = {LoaderFault::Input, validUtf8(ready.error().message)};
    return nullptr;
  }
  return loader;
}

Loader::EpochSize Loader::sizeOf(std::uint64_t samples) const {
  const auto rows = static_cast<std::uint64_t>(m_prepared->plan.batch.size);
  return {(samples + rows - 1) / rows, samples};
}

std::optional<Loader::EpochSize> Loader::knownSize() const {
  if (m_epochSamples == 0 && m_session)
    m_epochSamples = m_session->executor->knownSamplesPerEpoch().value_or(0);
  if (m_epochSamples == 0) return std::nullopt;
  return sizeOf(m_epochSamples);
}

std::optional<Loader::EpochSize> Loader::epochSize() {
  std::shared_ptr<LoaderSession> session;
  {
    const MutexLock lock(m_mutex);
    if (const auto known = knownSize()) return known;
    session = m_session;
  }
  if (!session) return std::nullopt;
  const std::uint64_t samples = session->executor->samplesPerEpoch();
  const MutexLock lock(m_mutex);
  m_epochSamples = samples;
  return sizeOf(samples);
}

std::optional<std::uint64_t> Loader::knownBatches() const {
  if (m_place.offset > 0 && m_session)
    if (const auto samples = m_session->executor->knownStartSamples())
      return sizeOf(*samples).batches;
  const auto whole = knownSize();
  if (!whole) return std::nullopt;
  return whole->batches;
}

bool Loader::isAtEnd() const {
  const auto batches = knownBatches();
  return batches && m_place.batch >= *batches;
}

Status Loader::makeCaches() {
  MILLRACE_ASSIGN_OR_RETURN(auto caches, CacheSet::make(m_prepared->plan));
  m_caches = std::make_shared<const CacheSet>(std::move(caches));
  return {};
}

Status Loader::openRecord() {
  if (!m_options.record) return {};
  // The run is created with the first batch; errors of the file are reported now.
  MILLRACE_ASSIGN_OR_RETURN(const auto store, RunStore::open(m_options.record->file));
  const PipelineRequest& request = m_options.request;
  const std::vector<KeyValue> facts = {{std::string(kOriginFact), std::string(kTrainingOrigin)},
                                       {"measured_span", "the whole training"},
                                       {"warmup_seconds", "0"},
                                       {"draws", request.noRandom ? "centred" : "random"},
                                       {"fusing", request.noFuse ? "off" : "on"}};
  m_recorder = std::make_unique<TrainingRecorder>(
      *m_options.record, request.document ? "a document" : request.pipeline, facts, m_prepared);
  return {};
}

/// Prepares an engine; its threads start with the first request for a batch.
Status Loader::begin(Place place) {
  ExecutorOptions options;
  options.limits.startEpoch = place.epoch;
  options.limits.startBatch = place.batch;
  options.limits.startOffset = place.offset;
  options.limits.mayStartAtEnd = true;
  options.failureLimit = m_options.failureLimit;
  options.noRandom = m_options.request.noRandom;
  options.clock = m_options.clock;
  options.device = m_device;
  options.transfer = &deviceTransfer();
  const auto scope = m_device ? m_device->enter() : nullptr;
  MILLRACE_ASSIGN_OR_RETURN(auto executor, Executor::make(m_prepared->plan, *m_caches, options));
  m_session = std::make_shared<LoaderSession>(m_prepared, m_caches, std::move(executor), m_user,
                                              *m_options.clock);
  m_started = false;
  m_place = place;
  return {};
}

/// Frees the old session first, because batches are large.
bool Loader::goTo(Place place, LoaderFault fault, LoaderError& error) {
  if (m_waiting.load()) {
    error = {
        LoaderFault::Use,
        "a thread is waiting for a batch of this loader; its position cannot be changed meanwhile"};
    return false;
  }
  if (m_session && nextPlace() == place && !m_session->executor->failed()) {
    m_place = place;
    return true;
  }
  // The state of another process of the same training may have been taken where this one has no
  // batch left.
  const bool mayEnd = fault == LoaderFault::State;
  if (const std::string why = refusal(place, mayEnd); !why.empty()) {
    error = {fault, why};
    return false;
  }
  m_pending = {};
  if (m_session) {
    m_session->executor->finish();
    keepFailures();
    if (m_recorder) m_recorder->ends();
    m_session.reset();
  }
  const Status begun = begin(place);
  if (!begun) error = {LoaderFault::Run, validUtf8(begun.error().message)};
  return begun.ok();
}

std::string Loader::refusal(Place place, bool mayEnd) const {
  if (const auto size = knownSize(); size && place.batch >= size->batches + (mayEnd ? 1 : 0))
    return fmt::format("epoch {} has {} batches, numbered from 0; there is no batch {}",
                       place.epoch, size->batches, place.batch);
  const PlanStage& stage = m_prepared->plan.stages.front();
  if (place.batch + place.offset > 0 && stage.order == DeliveryOrder::Ready)
    return stage.id +
           ".order: with `ready` the rows of a batch depend on timing, so a loader cannot start "
           "within an epoch; use `strict`";
  return {};
}

void Loader::keepFailures() {
  const FailureBudget& budget = m_session->executor->failures();
  for (FailedSample& failure : budget.failures())
    if (m_failures.size() < FailureBudget::kKept) m_failures.push_back(std::move(failure));
  m_failedSamples += budget.failedSamples();
}

std::uint64_t Loader::failedSamples() const {
  const MutexLock lock(m_mutex);
  return m_failedSamples + (m_session ? m_session->executor->failures().failedSamples() : 0);
}

Loader::Place Loader::nextPlace() const { return isAtEnd() ? Place{m_place.epoch + 1} : m_place; }

Loader::Place Loader::placeOf(std::uint32_t epoch, std::uint64_t samples) const {
  return {epoch, samples / m_stride, samples % m_stride};
}

bool Loader::setPosition(std::uint32_t epoch, std::uint64_t batch, LoaderError& error) {
  const MutexLock lock(m_mutex);
  return goTo({epoch, batch}, LoaderFault::Use, error);
}

/// Starts the session if necessary and returns it to take a batch from; or moves the batch that
/// already arrived for the next epoch into `pending`.
std::shared_ptr<LoaderSession> Loader::asked(LoanedBatch& pending) {
  const MutexLock lock(m_mutex);
  if (!m_session || m_closed) return nullptr;
  m_session->asks(m_options.clock->now());
  if (!std::exchange(m_started, true)) {
    m_session->start();
    if (m_recorder) m_recorder->begins(m_session);
  }
  if (!isAtEnd() && m_pending) pending = std::move(m_pending);
  return m_session;
}

bool Loader::atEpochEnd() {
  const MutexLock lock(m_mutex);
  if (!isAtEnd()) return false;
  m_place = nextPlace();
  m_session->pauses();
  return true;
}

Loader::Next Loader::handOut(LoanedBatch taken, LoanedBatch& batch) {
  const MutexLock lock(m_mutex);
  if (taken->epoch != m_place.epoch) {
    m_place = {m_place.epoch + 1};
    m_pending = std::move(taken);
    m_session->pauses();
    return Next::EpochEnd;
  }
  m_place.batch = taken->indexInEpoch + std::uint64_t{1};
  m_session->gets(m_options.clock->now(), taken->rows);
  batch = std::move(taken);
  return Next::Batch;
}

Loader::Next Loader::next(SteadyTime until, LoanedBatch& batch, LoaderError& error) {
  if (m_waiting.exchange(true)) {
    error = {LoaderFault::Use,
             "another thread is waiting for a batch of this loader; only one may wait at a time: "
             "give each thread its own loader"};
    return Next::Failed;
  }
  const std::unique_ptr<std::atomic<bool>, void (*)(std::atomic<bool>*)> waiting(
      &m_waiting, [](std::atomic<bool>* flag) { flag->store(false); });
  LoanedBatch pending;
  const std::shared_ptr<LoaderSession> session = asked(pending);
  if (!session) return noBatch(nullptr, error);
  if (atEpochEnd()) return Next::EpochEnd;
  if (pending) return handOut(std::move(pending), batch);
  BatchSlot* taken = nullptr;
  switch (session->next(until, taken)) {
    case Executor::Pull::Ready: return handOut(LoanedBatch(session, taken), batch);
    case Executor::Pull::NotYet: return Next::Timeout;
    case Executor::Pull::Held: return Next::Held;
    case Executor::Pull::Ended: break;
  }
  return noBatch(session.get(), error);
}

Loader::Next Loader::noBatch(const LoaderSession* session, LoaderError& error) {
  const MutexLock lock(m_mutex);
  if (m_closed)
    error = {LoaderFault::Use, "the loader is closed"};
  else if (session == nullptr)
    error = {LoaderFault::Run, "this loader could not be restarted; open a new one"};
  else if (session->executor->failed())
    error = {LoaderFault::Run, validUtf8(session->executor->error().message)};
  else
    error = {LoaderFault::Run, "the run has ended"};
  return Next::Failed;
}

LoaderState Loader::stateNow() {
  if (m_data.empty()) {
    const Source& source = *m_prepared->plan.pipeline.source;
    const std::atomic<bool> stop{false};
    const auto found = fingerprintDataset(
        source.size(),
        [&](std::uint64_t i) {
          return ListedSample{source.name(static_cast<std::uint32_t>(i)), std::nullopt};
        },
        stop);
    m_data = fmt::format("{:016x}, {} samples", found->hash, found->samples);
  }
  // The end of an epoch can only be recognised with a known number of samples.
  if (m_epochSamples == 0 && m_session) m_epochSamples = m_session->executor->samplesPerEpoch();
  const Place place = nextPlace();
  return {.epoch = place.epoch,
          .samples = place.offset + place.batch * m_stride,
          .batch = {},
          .graph = m_prepared->graph,
          .noRandom = m_options.request.noRandom,
          .data = m_data};
}

std::string Loader::state() {
  const MutexLock lock(m_mutex);
  return stateText(stateNow(), builtinCatalog());
}

bool Loader::restore(const std::string& text, LoaderError& error) {
  const Catalog& catalog = builtinCatalog();
  const Result<LoaderState> then = parseState(text, catalog);
  if (!then) {
    error = {LoaderFault::State, validUtf8(then.error().message)};
    return false;
  }
  const MutexLock lock(m_mutex);
  const std::vector<std::string> differences = stateDifferences(*then, stateNow(), catalog);
  if (!differences.empty()) {
    error = {LoaderFault::State,
             validUtf8("this state belongs to other batches:\n" + join(differences, "\n"))};
    return false;
  }
  const Place place =
      then->batch ? Place{then->epoch, *then->batch} : placeOf(then->epoch, then->samples);
  return goTo(place, LoaderFault::State, error);
}

}  // namespace millrace
