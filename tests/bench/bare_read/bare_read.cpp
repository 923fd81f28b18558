// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The limits that readers are compared with (experiments/formats/readers.py), in bytes per second:
//   bare_read read THREADS SECONDS HELD RECORD FILE...   pread of RECORD bytes after RECORD bytes
//   bare_read files THREADS SECONDS HELD FILE...         open, pread of all, close
//   bare_read memcpy THREADS SECONDS                     blocks of 256 MiB / THREADS, counted once
// Threads take the next record or file in turn; after the last one they begin again. Data is held
// until HELD further bytes have been read by all threads together, as a loader holds its batches;
// 0: each thread reads into one buffer, which then stays in its core's cache.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/clock.h"

namespace millrace::bench {
namespace {

struct Part {
  std::string path;
  int file = -1;
  std::size_t begin = 0;
  std::size_t bytes = 0;
};

[[noreturn]] void die(const std::string& path) {
  std::perror(path.c_str());
  std::exit(1);
}

std::size_t sizeOfFile(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) die(path);
  return static_cast<std::size_t>(status.st_size);
}

/// Calls `work` on each thread until the time is over; `work` returns the bytes that it moved.
double rateOf(unsigned threads, double seconds, const std::function<std::size_t(unsigned)>& work) {
  std::atomic<std::size_t> bytes{0};
  std::vector<std::thread> running;
  const SteadyTime begin = steadyClock().now();
  for (unsigned t = 0; t < threads; ++t)
    running.emplace_back([&, t] {
      while (toSeconds(steadyClock().now() - begin) < seconds)
        bytes.fetch_add(work(t), std::memory_order_relaxed);
    });
  for (std::thread& thread : running) thread.join();
  return static_cast<double>(bytes.load()) / toSeconds(steadyClock().now() - begin);
}

/// Memory of one thread that is filled from beginning to end, repeatedly.
struct Held {
  std::vector<char> memory;
  std::size_t at = 0;

  char* room(std::size_t bytes) {
    if (memory.size() < bytes) memory.resize(bytes);
    if (at + bytes > memory.size()) at = 0;
    return memory.data() + std::exchange(at, at + bytes);
  }
};

double readRate(const std::vector<Part>& parts, unsigned threads, double seconds,
                std::size_t held) {
  std::vector<Held> buffers(threads);
  for (Held& each : buffers) each.memory.resize(held / threads);
  std::atomic<std::size_t> next{0};
  return rateOf(threads, seconds, [&](unsigned t) {
    const Part& part = parts[next.fetch_add(1, std::memory_order_relaxed) % parts.size()];
    char* const to = buffers[t].room(part.bytes);
    const int file = part.file >= 0 ? part.file : ::open(part.path.c_str(), O_RDONLY | O_CLOEXEC);
    const ssize_t got = ::pread(file, to, part.bytes, static_cast<off_t>(part.begin));
    if (got < 0) die(part.path);
    if (part.file < 0) ::close(file);
    return static_cast<std::size_t>(got);
  });
}

double copyRate(unsigned threads, double seconds) {
  const std::size_t block = (std::size_t{256} << 20U) / threads;
  std::vector<std::vector<char>> from(threads, std::vector<char>(block, 1));
  std::vector<std::vector<char>> to(threads, std::vector<char>(block, 2));
  return rateOf(threads, seconds, [&](unsigned t) {
    std::memcpy(to[t].data(), from[t].data(), block);
    asm volatile("" : : "r"(to[t].data()) : "memory");
    return block;
  });
}

std::vector<Part> recordsOf(const std::vector<std::string>& files, std::size_t record) {
  std::vector<Part> parts;
  for (const std::string& path : files) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) die(path);
    const std::size_t size = sizeOfFile(path);
    for (std::size_t begin = 0; begin + record <= size; begin += record)
      parts.push_back({path, file, begin, record});
  }
  return parts;
}

int usage() {
  fmt::print(stderr,
             "usage: bare_read read THREADS SECONDS HELD RECORD FILE...\n"
             "       bare_read files THREADS SECONDS HELD FILE...\n"
             "       bare_read memcpy THREADS SECONDS\n");
  return 2;
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() < 3) return usage();
  const std::string& what = arguments[0];
  const auto threads = static_cast<unsigned>(std::max(1, std::atoi(arguments[1].c_str())));
  const double seconds = std::atof(arguments[2].c_str());
  std::vector<Part> parts;
  if (what == "memcpy") {
    fmt::print("{:.0f}\n", copyRate(threads, seconds));
    return 0;
  }
  const auto held = static_cast<std::size_t>(
      arguments.size() > 3 ? std::max(0LL, std::atoll(arguments[3].c_str())) : 0);
  if (what == "read" && arguments.size() > 5) {
    const auto record = static_cast<std::size_t>(std::atoll(arguments[4].c_str()));
    if (record > 0) parts = recordsOf({arguments.begin() + 5, arguments.end()}, record);
  } else if (what == "files" && arguments.size() > 4) {
    for (auto path = arguments.begin() + 4; path != arguments.end(); ++path)
      parts.push_back({*path, -1, 0, sizeOfFile(*path)});
  }
  if (parts.empty()) return usage();
  fmt::print("{:.0f}\n", readRate(parts, threads, seconds, held));
  return 0;
}

}  // namespace
}  // namespace millrace::bench

int main(int argc, char** argv) {
  return millrace::bench::run(std::vector<std::string>(argv + 1, argv + argc));
}
