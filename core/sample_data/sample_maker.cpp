// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/sample_data/sample_maker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/thread_name.h"

namespace millrace::samples {
namespace {

namespace fs = std::filesystem;

/// Hands out indices, and collects the written files and the first error. Thread-safe.
class Making {
 public:
  Making(fs::path folder, const SampleKindEntry& kind, std::uint32_t count, std::uint64_t seed)
      : m_folder(std::move(folder)), m_kind(kind), m_count(count), m_seed(seed), m_tiles(kSeed) {}

  /// Generates samples until none are left; call it on any number of threads.
  void work() {
    try {
      while (const auto index = next()) {
        auto files = m_kind.draw(m_tiles, {m_seed, *index, m_count});
        finish(files.ok() ? write(files.value()) : Status(files.error()));
      }
    } catch (const std::bad_alloc&) {
      fail({"there is not enough memory to draw the sample data"});
    }
  }

  /// Returns when everything is finished or a failure has ended it; calls `progress` meanwhile.
  void follow(const SampleProgress& progress) {
    std::uint32_t reported = 0;
    for (;;) {
      {
        MutexLock lock(m_mutex);
        while (m_done == reported && !m_error && m_done < m_count) m_changed.wait(m_mutex);
        if (m_error) return;
        reported = m_done;
      }
      if (progress && !progress(reported, m_count)) fail({"generating sample data was cancelled"});
      if (reported == m_count) return;
    }
  }

  Status write(const std::vector<SampleFile>& files) {
    for (const SampleFile& file : files) {
      const fs::path path = m_folder / file.path;
      {
        // Registered before it exists, so that a partial file is removed after a failure.
        MutexLock lock(m_mutex);
        m_written.push_back(path);
        m_bytes += file.bytes.size();
      }
      std::error_code error;
      fs::create_directories(path.parent_path(), error);
      if (error)
        return Error{
            fmt::format("{}: cannot be created: {}", path.parent_path().string(), error.message())};
      MILLRACE_TRY(writeNewFile(path, file.bytes.data(), file.bytes.size()));
    }
    return {};
  }

  void fail(Error error) {
    MutexLock lock(m_mutex);
    if (!m_error) m_error = std::move(error);
    m_changed.notifyAll();
  }

  /// Call it after all threads have ended.
  Result<Made> result() {
    MutexLock lock(m_mutex);
    if (!m_error) return Made{m_written.size(), m_bytes};
    removeWritten();
    return *m_error;
  }

 private:
  /// The textures are equal for all seeds; a seed varies what is painted with them.
  static constexpr std::uint64_t kSeed = 0x6d696c6c;

  std::optional<std::uint32_t> next() {
    MutexLock lock(m_mutex);
    if (m_error || m_next == m_count) return std::nullopt;
    return m_next++;
  }

  void finish(Status status) {
    if (!status.ok()) return fail(status.error());
    MutexLock lock(m_mutex);
    ++m_done;
    m_changed.notifyAll();
  }

  void removeWritten() MILLRACE_REQUIRES(m_mutex) {
    std::error_code ignored;
    std::vector<fs::path> folders;
    for (const fs::path& path : m_written) {
      fs::remove(path, ignored);
      for (fs::path up = path.parent_path(); up != m_folder; up = up.parent_path())
        folders.push_back(up);
    }
    // Deepest first; folders with other content stay.
    std::sort(folders.begin(), folders.end(), std::greater<>());
    folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
    for (const fs::path& folder : folders) fs::remove(folder, ignored);
  }

  // Constant after construction.
  const fs::path m_folder;
  const SampleKindEntry& m_kind;
  const std::uint32_t m_count;
  const std::uint64_t m_seed;
  const TextureTiles m_tiles;

  Mutex m_mutex;
  Condition m_changed;
  std::uint32_t m_next MILLRACE_GUARDED_BY(m_mutex) = 0;
  std::uint32_t m_done MILLRACE_GUARDED_BY(m_mutex) = 0;
  std::uint64_t m_bytes MILLRACE_GUARDED_BY(m_mutex) = 0;
  std::vector<fs::path> m_written MILLRACE_GUARDED_BY(m_mutex);
  std::optional<Error> m_error MILLRACE_GUARDED_BY(m_mutex);
};

std::vector<std::thread> startThreads(Making& making, unsigned count) {
  std::vector<std::thread> threads;
  threads.reserve(count);
  try {
    for (unsigned i = 0; i < count; ++i)
      threads.emplace_back([&making] {
        setThreadName("sample-drawing");
        making.work();
      });
  } catch (const std::exception&) {
    // With fewer threads the pictures are the same.
  }
  return threads;
}

}  // namespace

Result<Made> drawInto(const fs::path& folder, const SampleKindEntry& kind, std::uint32_t count,
                      std::uint64_t seed, unsigned threads, const SampleProgress& progress) {
  Making making(folder, kind, count, seed);
  if (kind.extra)
    if (const Status status = making.write(kind.extra()); !status.ok()) making.fail(status.error());
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> running = startThreads(making, std::min(threads, count));
  if (running.empty()) making.work();
  making.follow(progress);
  for (std::thread& thread : running) thread.join();
  return making.result();
}

Status writeNewFile(const fs::path& path, const void* data, std::size_t size) {
  const auto failed = [&path] {
    const int reason = errno;
    ::unlink(path.c_str());
    return Error{fmt::format("{}: cannot be written: {}", path.string(),
                             std::generic_category().message(reason))};
  };
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return failed();
  const char* from = static_cast<const char*>(data);
  for (std::size_t done = 0; done < size;) {
    const ssize_t wrote = ::write(file, from + done, size - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) {
      const Error error = failed();
      ::close(file);
      return error;
    }
    done += static_cast<std::size_t>(wrote);
  }
  // A network file system may report a full disk here.
  if (::close(file) != 0) return failed();
  return {};
}

}  // namespace millrace::samples
