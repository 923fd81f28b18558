// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <QCoreApplication>

#include "core/base/rank.h"
#include "tests/support/temporary_folder.h"

namespace millrace::tests {

/// Runs `work(rank)` for each of `world` ranks in parallel, and returns the results.
template <class Work>
auto asRanks(std::int64_t world, const TemporaryFolder& folder, const Work& work) {
  std::vector<decltype(work(Rank{}))> results(static_cast<std::size_t>(world));
  std::vector<std::thread> threads;
  for (std::int64_t r = 0; r < world; ++r)
    threads.emplace_back(
        [&, r] { results[static_cast<std::size_t>(r)] = work(Rank{r, world, folder.path()}); });
  for (std::thread& thread : threads) thread.join();
  return results;
}

/// A separate process for rank 1 of 2: this program with the test class `name`, which calls
/// folderOfOtherRank() first. It is not waited for before exitCode().
class OtherRank {
 public:
  OtherRank(const TemporaryFolder& folder, const char* name) {
    setenv(kVariable, folder.path().c_str(), 1);
    const std::string program = QCoreApplication::applicationFilePath().toStdString();
    std::vector<std::string> words{program, name};
    std::vector<char*> arguments{words[0].data(), words[1].data(), nullptr};
    started =
        posix_spawn(&m_process, program.c_str(), nullptr, nullptr, arguments.data(), environ) == 0;
    unsetenv(kVariable);
  }
  ~OtherRank() {
    if (!started || m_done) return;
    ::kill(m_process, SIGKILL);
    (void)exitCode();
  }
  OtherRank(const OtherRank&) = delete;
  OtherRank& operator=(const OtherRank&) = delete;

  /// Waits for its end; -1 if it did not exit normally.
  int exitCode() {
    int status = 0;
    m_done = true;
    if (::waitpid(m_process, &status, 0) != m_process) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  static constexpr const char* kVariable = "MILLRACE_TEST_RANK";
  bool started = false;

 private:
  pid_t m_process = 0;
  bool m_done = false;
};

/// Empty if this process is not another rank.
inline std::filesystem::path folderOfOtherRank() {
  const char* const folder = std::getenv(OtherRank::kVariable);
  return folder == nullptr ? "" : folder;
}

}  // namespace millrace::tests
