// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/capi/millrace.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "app/capi/batch_handle.h"
#include "app/capi/batch_tensor.h"
#include "app/capi/guarded.h"
#include "app/capi/open_handles.h"
#include "app/capi/open_options.h"
#include "core/base/launched_rank.h"

using millrace::Loader;
using millrace::LoaderError;
using millrace::LoaderFault;
using millrace::capi::copied;
using millrace::capi::failed;
using millrace::capi::guarded;
using millrace::capi::lastError;
using millrace::capi::until;

namespace {

millrace_status failed(const LoaderError& error) {
  lastError() = error.message;
  switch (error.fault) {
    case LoaderFault::Input: return MILLRACE_ERROR_INPUT;
    case LoaderFault::Run: return MILLRACE_ERROR_RUN;
    case LoaderFault::State: return MILLRACE_ERROR_STATE;
    case LoaderFault::Use: break;
  }
  return MILLRACE_ERROR_USE;
}

/// Runs work on a loader of this process, and keeps the loader alive until it is done.
template <class Work>
millrace_status withLoader(const millrace_loader* loader, Work&& work) {
  return guarded([&] {
    if (loader == nullptr) return failed(MILLRACE_ERROR_USE, "the loader is NULL");
    const auto open = millrace::capi::OpenLoaders::instance().find(loader);
    if (!open) return failed(MILLRACE_ERROR_USE, "the loader is closed");
    if (open->process != getpid())
      return failed(MILLRACE_ERROR_USE,
                    "this loader was opened before the process forked, so its threads do not "
                    "exist here; open a loader in each process after the fork");
    return work(*open->loader);
  });
}

/// Runs work on a batch of this process.
template <class Work>
millrace_status withBatch(millrace_batch* batch, Work&& work) {
  return guarded([&] {
    if (batch == nullptr) return failed(MILLRACE_ERROR_USE, "the batch is NULL");
    auto& handle = *static_cast<millrace::capi::BatchHandle*>(batch);
    if (handle.process != getpid())
      return failed(MILLRACE_ERROR_USE, "this batch was received before the process forked");
    return work(handle);
  });
}

millrace_status statusOf(const millrace::Status& done) {
  return done ? MILLRACE_OK : failed(MILLRACE_ERROR_RUN, done.error().message.c_str());
}

template <class Work>
char* textOf(const millrace_loader* loader, Work&& work) {
  char* text = nullptr;
  (void)withLoader(loader, [&](Loader& opened) {
    text = copied(work(opened));
    return MILLRACE_OK;
  });
  return text;
}

constexpr std::chrono::seconds kLongHeld{5};

millrace_status statusOf(Loader::Next next, const LoaderError& error) {
  switch (next) {
    case Loader::Next::Batch: return MILLRACE_OK;
    case Loader::Next::EpochEnd: return MILLRACE_EPOCH_END;
    case Loader::Next::Timeout: return MILLRACE_TIMEOUT;
    case Loader::Next::Held: return MILLRACE_HELD;
    case Loader::Next::Failed: break;
  }
  return failed(error);
}

/// Waits without limit. If the program holds all batches, that may be forever: then a message is
/// printed.
Loader::Next waitForBatch(Loader& loader, millrace::LoanedBatch& batch, LoaderError& error) {
  bool said = false;
  for (;;) {
    const Loader::Next next =
        loader.next(std::chrono::steady_clock::now() + kLongHeld, batch, error);
    if (next == Loader::Next::Held && !said) {
      std::fputs(
          "millrace: waiting for a batch, but the program holds all slots with earlier batches "
          "that were not "
          "released; release one, or copy what you keep (a larger `held` makes room for more)\n",
          stderr);
      said = true;
    }
    if (next != Loader::Next::Timeout && next != Loader::Next::Held) return next;
  }
}

}  // namespace

uint32_t millrace_abi_version(void) { return MILLRACE_ABI; }
const char* millrace_version(void) { return MILLRACE_VERSION; }
const char* millrace_last_error(void) { return lastError().c_str(); }

millrace_status millrace_launched_rank(uint32_t* rank, uint32_t* world) {
  return guarded([&] {
    if (rank == nullptr || world == nullptr)
      return failed(MILLRACE_ERROR_USE, "the pointer to the rank or to the world size is NULL");
    *rank = 0;
    *world = 1;
    const auto launched = millrace::launchedRank();
    if (!launched) return failed(MILLRACE_ERROR_INPUT, launched.error().message.c_str());
    if (!*launched) return MILLRACE_OK;
    *rank = static_cast<uint32_t>((*launched)->number);
    *world = static_cast<uint32_t>((*launched)->world);
    return MILLRACE_OK;
  });
}

millrace_status millrace_open(const millrace_options* options, millrace_loader** loader) {
  return guarded([&] {
    if (loader == nullptr || options == nullptr)
      return failed(MILLRACE_ERROR_USE, "the pointer to the options or to the loader is NULL");
    *loader = nullptr;
    LoaderError error;
    const auto request = millrace::capi::loaderOptions(*options, error);
    if (!request) return failed(error);
    auto opened = Loader::open(*request, error);
    if (!opened) return failed(error);
    *loader = millrace::capi::OpenLoaders::instance().add({std::move(opened), getpid()});
    return MILLRACE_OK;
  });
}

millrace_status millrace_count(millrace_loader* loader, uint64_t* batches, uint64_t* samples) {
  return withLoader(loader, [&](Loader& opened) {
    const auto size = opened.epochSize();
    if (!size)
      return failed(MILLRACE_ERROR_RUN, "this loader could not be restarted; open a new one");
    if (batches != nullptr) *batches = size->batches;
    if (samples != nullptr) *samples = size->samples;
    return MILLRACE_OK;
  });
}

char* millrace_describe(const millrace_loader* loader) {
  return textOf(loader, [](Loader& opened) { return opened.describe(); });
}

millrace_status millrace_next(millrace_loader* loader, double seconds, millrace_batch** batch) {
  return withLoader(loader, [&](Loader& opened) {
    if (batch == nullptr) return failed(MILLRACE_ERROR_USE, "the pointer to the batch is NULL");
    *batch = nullptr;
    millrace::LoanedBatch loan;
    LoaderError error;
    const Loader::Next next =
        seconds < 0 ? waitForBatch(opened, loan, error) : opened.next(until(seconds), loan, error);
    if (next == Loader::Next::Batch)
      *batch = millrace::capi::BatchHandle::make(std::move(loan), opened.failedSamples()).release();
    return statusOf(next, error);
  });
}

void millrace_release(millrace_batch* batch) {
  auto* handle = static_cast<millrace::capi::BatchHandle*>(batch);
  // Threads of the parent may have held locks at the fork: in a forked child the handle leaks.
  if (handle != nullptr && handle->process == getpid()) delete handle;
}

millrace_status millrace_set_epoch(millrace_loader* loader, uint32_t epoch) {
  return millrace_set_position(loader, epoch, 0);
}

millrace_status millrace_set_position(millrace_loader* loader, uint32_t epoch, uint64_t batch) {
  return withLoader(loader, [&](Loader& opened) {
    LoaderError error;
    return opened.setPosition(epoch, batch, error) ? MILLRACE_OK : failed(error);
  });
}

char* millrace_state(millrace_loader* loader) {
  return textOf(loader, [](Loader& opened) { return opened.state(); });
}

millrace_status millrace_restore(millrace_loader* loader, const char* state) {
  return withLoader(loader, [&](Loader& opened) {
    if (state == nullptr) return failed(MILLRACE_ERROR_STATE, "the state is NULL");
    LoaderError error;
    return opened.restore(state, error) ? MILLRACE_OK : failed(error);
  });
}

char* millrace_stats(millrace_loader* loader) {
  return textOf(loader, [](Loader& opened) { return opened.stats(); });
}

char* millrace_failures(const millrace_loader* loader, size_t from) {
  return textOf(loader, [from](Loader& opened) { return opened.failures(from); });
}

void millrace_close(millrace_loader* loader) {
  if (loader != nullptr) millrace::capi::OpenLoaders::instance().close(loader);
}

void millrace_free(char* text) { std::free(text); }

millrace_status millrace_read_on(millrace_batch* batch, void* stream) {
  return withBatch(batch, [&](auto& handle) { return statusOf(handle.loan->readOn(stream)); });
}

millrace_status millrace_to_host(millrace_batch* batch, void* to, const void* from, size_t bytes) {
  return withBatch(batch, [&](auto& handle) {
    if ((to == nullptr || from == nullptr) && bytes > 0)
      return failed(MILLRACE_ERROR_USE, "the address to copy to or from is NULL");
    return statusOf(handle.loan->toHost(to, from, bytes));
  });
}

DLManagedTensor* millrace_dlpack(millrace_batch* batch, size_t field, int64_t row) {
  DLManagedTensor* tensor = nullptr;
  (void)withBatch(batch, [&](auto& handle) {
    const auto made = millrace::capi::makeTensor(handle, field, row);
    if (!made) return failed(MILLRACE_ERROR_USE, made.error().message.c_str());
    tensor = *made;
    return MILLRACE_OK;
  });
  return tensor;
}
