// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// CUDA runtime: streams and events. Each stream has a thread that works asynchronously; work in
// different streams is ordered only by events and by the rule for the legacy stream.
#include "tests/ptx/runtime_streams.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "tests/ptx/order.h"
#include "tests/ptx/runtime_state.h"

namespace millrace::ptx {

namespace {

/// The progress of a stream. Guarded by `table().mutex`.
struct Progress {
  std::uint64_t enqueued = 0;
  std::uint64_t done = 0;
};
struct Point {
  std::shared_ptr<Progress> of;
  std::uint64_t number = 0;
  Clock clock;  ///< what is done once it has passed
  bool passed() const { return of->done >= number; }
};

struct Work {
  std::function<void()> run;
  std::vector<Point> after;
  bool always = false;  ///< also after the device has faulted
  std::uint64_t number = 0;
  Clock before;
};

struct StreamThread {
  std::shared_ptr<Progress> progress = std::make_shared<Progress>();
  std::size_t number = 0;
  Clock clock;  ///< what is done before the next enqueued work
  int device = 0;
  bool blocking = true;  ///< ordered with the device's legacy stream
  bool legacy = false;
  bool closing = false;
  std::deque<Work> work;
};

struct EventState {
  int device = 0;
  bool timed = true;
  bool everRecorded = false;
  Point last;
  std::chrono::steady_clock::time_point at;
};

struct Table {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<cudaStream_t, std::shared_ptr<StreamThread>> streams;
  std::map<cudaEvent_t, std::shared_ptr<EventState>> events;
  std::uint64_t lastHandle = 0x1000;
  std::size_t streamsEver = 0;
  std::uint64_t operations = 0;
  Clock host;  ///< what the host has waited for
};

/// Stream threads may run until the process ends.
Table& table() {
  static Table& all = *new Table;
  return all;
}

/// Waits up to this many microseconds before each piece of work, so that work that is ordered only
/// by chance is executed in another order (MILLRACE_PTX_DELAY).
void delay() {
  static const char* const set = std::getenv("MILLRACE_PTX_DELAY");
  if (set == nullptr) return;
  thread_local std::mt19937 random(std::random_device{}());
  const int most = std::max(1, std::atoi(set));
  std::this_thread::sleep_for(
      std::chrono::microseconds(random() % static_cast<unsigned int>(most)));
}

void work(const std::shared_ptr<StreamThread>& stream) {
  Table& all = table();
  std::unique_lock lock(all.mutex);
  for (;;) {
    all.changed.wait(lock, [&] { return stream->closing || !stream->work.empty(); });
    if (stream->work.empty()) return;
    Work next = std::move(stream->work.front());
    stream->work.pop_front();
    all.changed.wait(lock, [&] {
      return std::ranges::all_of(next.after, [](const Point& point) { return point.passed(); });
    });
    runningWork() = {++all.operations, stream->number, next.number, std::move(next.before)};
    lock.unlock();
    delay();
    if (next.always || deviceFault() == cudaSuccess) next.run();
    lock.lock();
    ++stream->progress->done;
    all.changed.notify_all();
  }
}

enum class Kind { Legacy, Blocking, NonBlocking };

std::shared_ptr<StreamThread> start(cudaStream_t handle, Kind kind) {
  auto stream = std::make_shared<StreamThread>();
  stream->device = currentDevice();
  stream->blocking = kind != Kind::NonBlocking;
  stream->legacy = kind == Kind::Legacy;
  stream->number = table().streamsEver++;
  table().streams[handle] = stream;
  std::thread([stream] { work(stream); }).detach();
  return stream;
}

bool isDefault(cudaStream_t handle) {
  return handle == nullptr || handle == cudaStreamLegacy || handle == cudaStreamPerThread;
}

/// The stream of a handle of the program; nullptr if it is invalid. Default streams are those of
/// the current device; they have separate handles, and start when they are first used.
std::shared_ptr<StreamThread> streamOf(cudaStream_t& handle) {
  Table& all = table();
  const bool legacy = handle == nullptr || handle == cudaStreamLegacy;
  const bool named = isDefault(handle);
  if (named) {
    static char legacies[kMostDevices];
    thread_local char own[kMostDevices];
    handle = reinterpret_cast<cudaStream_t>((legacy ? legacies : own) + currentDevice());
  }
  const auto found = all.streams.find(handle);
  if (found != all.streams.end()) return found->second;
  return named ? start(handle, legacy ? Kind::Legacy : Kind::Blocking) : nullptr;
}

/// The legacy stream waits for the work of all blocking streams, and they wait for its work.
void orderWithLegacy(cudaStream_t handle, const StreamThread& stream, Work& item) {
  if (!stream.blocking) return;
  for (const auto& [other, thread] : table().streams)
    if (other != handle && thread->blocking && thread->device == stream.device &&
        (stream.legacy || thread->legacy))
      item.after.push_back({thread->progress, thread->progress->enqueued, thread->clock});
}

/// Returns the point after the work. The table's mutex must be held.
Point add(cudaStream_t handle, StreamThread& stream, Work item) {
  orderWithLegacy(handle, stream, item);
  merge(stream.clock, table().host);
  for (const Point& point : item.after) merge(stream.clock, point.clock);
  item.number = ++stream.progress->enqueued;
  if (stream.clock.size() <= stream.number) stream.clock.resize(stream.number + 1);
  stream.clock[stream.number] = item.number;
  item.before = stream.clock;
  const Point point{stream.progress, item.number, stream.clock};
  stream.work.push_back(std::move(item));
  table().changed.notify_all();
  return point;
}

/// Records that the host has waited for it.
void waited(const Point& point) { merge(table().host, point.clock); }

cudaError_t badHandle(const char* call, const char* what) {
  return refused(cudaErrorInvalidResourceHandle, call, what);
}

std::shared_ptr<EventState> eventOf(cudaEvent_t event) {
  const auto found = table().events.find(event);
  return found == table().events.end() ? nullptr : found->second;
}

cudaError_t createStream(cudaStream_t* to, unsigned int flags) {
  return answered([&] {
    if (to == nullptr || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    Table& all = table();
    const std::lock_guard lock(all.mutex);
    *to = reinterpret_cast<cudaStream_t>(all.lastHandle += 16);
    start(*to, flags == cudaStreamDefault ? Kind::Blocking : Kind::NonBlocking);
    return cudaSuccess;
  });
}

cudaError_t createEvent(cudaEvent_t* to, unsigned int flags) {
  return answered([&] {
    constexpr unsigned int kKnown = cudaEventBlockingSync | cudaEventDisableTiming;
    if (to == nullptr || (flags & ~kKnown) != 0) return cudaErrorInvalidValue;
    Table& all = table();
    const std::lock_guard lock(all.mutex);
    *to = reinterpret_cast<cudaEvent_t>(all.lastHandle += 16);
    auto event = std::make_shared<EventState>();
    event->device = currentDevice();
    event->timed = (flags & cudaEventDisableTiming) == 0;
    all.events[*to] = std::move(event);
    return cudaSuccess;
  });
}

cudaError_t record(cudaEvent_t handle, cudaStream_t stream) {
  Table& all = table();
  const std::lock_guard lock(all.mutex);
  const auto event = eventOf(handle);
  if (!event) return badHandle("cudaEventRecord", "no such event");
  const auto thread = streamOf(stream);
  if (!thread) return badHandle("cudaEventRecord", "no such stream");
  if (thread->device != event->device)
    return badHandle("cudaEventRecord", "event and stream belong to different devices");
  event->everRecorded = true;
  const std::uint64_t number = thread->progress->enqueued + 1;
  const auto passes = [event, progress = thread->progress, number] {
    const std::lock_guard inner(table().mutex);
    if (event->last.of == progress && event->last.number == number)
      event->at = std::chrono::steady_clock::now();
  };
  event->last = add(stream, *thread, {passes, {}, true, 0, {}});
  return cudaSuccess;
}

cudaError_t elapsed(float* milliseconds, const std::shared_ptr<EventState>& from,
                    const std::shared_ptr<EventState>& to) {
  constexpr const char* kCall = "cudaEventElapsedTime";
  if (milliseconds == nullptr) return cudaErrorInvalidValue;
  if (!from || !to) return badHandle(kCall, "no such event");
  if (!from->timed || !to->timed) return badHandle(kCall, "the event was made without timing");
  if (!from->everRecorded || !to->everRecorded)
    return badHandle(kCall, "the event was never recorded");
  if (!from->last.passed() || !to->last.passed())
    return refused(cudaErrorNotReady, kCall, "the event has not passed");
  *milliseconds = std::chrono::duration<float, std::milli>(to->at - from->at).count();
  return cudaSuccess;
}

}  // namespace

cudaError_t enqueue(cudaStream_t handle, std::function<void()> run) {
  Table& all = table();
  const std::lock_guard lock(all.mutex);
  const auto stream = streamOf(handle);
  if (!stream) return badHandle("enqueue", "no such stream");
  if (stream->device != currentDevice())
    return badHandle("enqueue", "the stream does not belong to the current device");
  add(handle, *stream, {std::move(run), {}, false, 0, {}});
  return cudaSuccess;
}

cudaError_t synchronise(cudaStream_t handle) {
  Table& all = table();
  std::unique_lock lock(all.mutex);
  const auto stream = streamOf(handle);
  if (!stream) return badHandle("cudaStreamSynchronize", "no such stream");
  // The legacy stream is done when the streams that it waits for are done.
  Work item;
  orderWithLegacy(handle, *stream, item);
  if (stream->legacy)
    all.changed.wait(lock, [&] {
      return std::ranges::all_of(item.after, [](const Point& point) { return point.passed(); });
    });
  const Point target{stream->progress, stream->progress->enqueued, stream->clock};
  all.changed.wait(lock, [&] { return target.passed(); });
  waited(target);
  for (const Point& point : item.after)
    if (point.passed()) waited(point);
  return deviceFault();
}

std::optional<int> deviceOf(cudaStream_t handle) {
  const std::lock_guard lock(table().mutex);
  const auto stream = streamOf(handle);
  return stream ? std::optional<int>(stream->device) : std::nullopt;
}

void synchroniseAll() {
  Table& all = table();
  std::unique_lock lock(all.mutex);
  std::vector<Point> points;
  for (const auto& [handle, stream] : all.streams)
    points.push_back({stream->progress, stream->progress->enqueued, stream->clock});
  all.changed.wait(lock, [&] {
    return std::ranges::all_of(points, [](const Point& point) { return point.passed(); });
  });
  for (const Point& point : points) waited(point);
}

}  // namespace millrace::ptx

using namespace millrace::ptx;  // NOLINT(google-build-using-namespace): C functions follow

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return createStream(stream, cudaStreamDefault);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return createStream(stream, flags);
}

/// Work that has been enqueued is still executed.
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return answered([&] {
    Table& all = table();
    const std::lock_guard lock(all.mutex);
    const auto found = all.streams.find(stream);
    if (found == all.streams.end() || found->second->legacy)
      return badHandle("cudaStreamDestroy", "no such stream");
    found->second->closing = true;
    all.streams.erase(found);
    all.changed.notify_all();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return answered([&] { return synchronise(stream); });
}

cudaError_t cudaDeviceSynchronize() {
  return answered([&] {
    synchroniseAll();
    return deviceFault();
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return answered([&] {
    Table& all = table();
    const std::lock_guard lock(all.mutex);
    const auto thread = streamOf(stream);
    if (!thread) return badHandle("cudaStreamQuery", "no such stream");
    const Point last{thread->progress, thread->progress->enqueued, thread->clock};
    if (!last.passed()) return cudaErrorNotReady;
    waited(last);
    return cudaSuccess;
  });
}

/// Graphs are not supported.
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return answered([&] {
    if (status == nullptr) return cudaErrorInvalidValue;
    if (!deviceOf(stream)) return badHandle("cudaStreamIsCapturing", "no such stream");
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  return answered([&] {
    Table& all = table();
    const std::lock_guard lock(all.mutex);
    const auto state = eventOf(event);
    const auto thread = streamOf(stream);
    if (!state) return badHandle("cudaStreamWaitEvent", "no such event");
    if (!thread) return badHandle("cudaStreamWaitEvent", "no such stream");
    if (flags != 0) return cudaErrorInvalidValue;
    if (state->everRecorded) add(stream, *thread, {[] {}, {state->last}, true, 0, {}});
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return createEvent(event, 0); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return createEvent(event, flags);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return answered([&] {
    Table& all = table();
    const std::lock_guard lock(all.mutex);
    return all.events.erase(event) != 0 ? cudaSuccess
                                        : badHandle("cudaEventDestroy", "no such event");
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return answered([&] { return record(event, stream); });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return answered([&] {
    Table& all = table();
    const std::lock_guard lock(all.mutex);
    const auto state = eventOf(event);
    if (!state) return badHandle("cudaEventQuery", "no such event");
    if (!state->everRecorded) return cudaSuccess;
    if (!state->last.passed()) return cudaErrorNotReady;
    waited(state->last);
    return cudaSuccess;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return answered([&] {
    Table& all = table();
    std::unique_lock lock(all.mutex);
    const auto state = eventOf(event);
    if (!state) return badHandle("cudaEventSynchronize", "no such event");
    const Point target = state->last;
    if (!state->everRecorded) return deviceFault();
    all.changed.wait(lock, [&] { return target.passed(); });
    waited(target);
    return deviceFault();
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  return answered([&] {
    const std::lock_guard lock(table().mutex);
    return elapsed(milliseconds, eventOf(from), eventOf(to));
  });
}
}
