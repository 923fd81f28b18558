// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>
#include <QTemporaryDir>

#include "core/store/run_store.h"

namespace millrace::tests {

/// A separate folder for each test, and the path of a store in it.
class StoreFolder {
 public:
  std::filesystem::path folder() const { return m_folder.path().toStdString(); }
  std::filesystem::path file() const { return folder() / "runs.db"; }

 private:
  QTemporaryDir m_folder;
};

/// Runs SQL on a file without any of our code; false if SQLite refused.
inline bool rawSql(const std::filesystem::path& file, const std::string& sql) {
  sqlite3* handle = nullptr;
  const bool done = sqlite3_open(file.c_str(), &handle) == SQLITE_OK &&
                    sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
  sqlite3_close(handle);
  return done;
}

/// The first column of the first row, read without any of our code.
inline std::string rawText(const std::filesystem::path& file, const std::string& sql) {
  sqlite3* handle = nullptr;
  sqlite3_stmt* statement = nullptr;
  std::string text = "(failed)";
  if (sqlite3_open(file.c_str(), &handle) == SQLITE_OK &&
      sqlite3_prepare_v2(handle, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW)
    text = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
  sqlite3_finalize(statement);
  sqlite3_close(handle);
  return text;
}

inline NewRun smallRun(const std::string& name = "a run") {
  NewRun run;
  run.name = name;
  run.pipelineName = "classification";
  run.pipelineJson = R"({"format_version": 1})";
  run.engineVersion = "0.1.0";
  return run;
}

/// Forks a process that runs `work` and exits with its result; returns the process id.
inline pid_t inChild(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  return child;
}

/// The exit status of a child that exited normally, -1 if it was killed.
inline int exitOf(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace millrace::tests
