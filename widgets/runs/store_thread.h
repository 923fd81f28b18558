// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include <QObject>
#include <QPointer>
#include <QString>
#include <QThreadPool>

#include "core/store/run_store.h"

namespace millrace {

/// What a job on the store brought.
template <class T>
struct StoreAnswer {
  std::optional<T> value;
  QString error;         ///< a sentence with its remedy; empty where there is a value or no store
  bool noStore = false;  ///< there is no such file yet: no run has been kept
};

/// The store of runs, asked on a thread of its own, one job after the other: the GUI thread never
/// waits for a file. GUI thread.
class StoreThread : public QObject {
  Q_OBJECT
 public:
  explicit StoreThread(std::filesystem::path file, QObject* parent = nullptr);
  /// Waits for the job that is under way and those that `change` was asked for.
  ~StoreThread() override;

  const std::filesystem::path& file() const { return m_file; }
  /// Jobs from now on are about this file.
  void setFile(std::filesystem::path file) { m_file = std::move(file); }

  /// A number that later askers can outdate, so that a job nobody waits for is not begun.
  using Ticket = std::shared_ptr<const std::atomic<std::uint64_t>>;
  struct Urgency {
    Ticket newest;  ///< nothing: never outdated
    std::uint64_t number = 0;
    bool isStale() const { return newest && *newest != number; }
  };

  /// Reads: `job` runs on the store's thread, then `done` here, unless `context` is gone or the
  /// job was outdated before it began.
  template <class T>
  void ask(QObject* context, Urgency urgency, std::function<Result<T>(RunStore&)> job,
           std::function<void(StoreAnswer<T>)> done) {
    post([self = QPointer<QObject>(context), urgency = std::move(urgency), file = m_file,
          shelf = m_shelf, job = std::move(job), done = std::move(done)] {
      if (urgency.isStale()) return;
      auto answer = std::make_shared<StoreAnswer<T>>();
      if (RunStore* store = shelf->reader(file, answer->error, answer->noStore)) {
        Result<T> result = job(*store);
        if (result.ok())
          answer->value = result.take();
        else
          answer->error = wordsOf(result.error());
      }
      deliver([self, done, answer] {
        if (self) done(std::move(*answer));
      });
    });
  }

  /// Writes: `error` is empty where all went well.
  void change(QObject* context, std::function<Status(RunStore&)> job,
              std::function<void(const QString& error)> done);

  /// RunStore::warm on another thread: questions that are asked meanwhile are answered. `done` may
  /// be empty.
  void warm(QObject* context, std::function<void()> done = {});

  /// What is another text once the store's file has changed. Asked behind the jobs that were given
  /// before, so that what these have read is not newer.
  void trace(QObject* context, std::function<void(const QString&)> done);

  /// An error of the store as a sentence.
  static QString wordsOf(const Error& error);

 private:
  /// The open stores; on the store's thread alone.
  class Shelf {
   public:
    RunStore* reader(const std::filesystem::path& file, QString& error, bool& noStore);
    void drop() { m_reader.reset(); }

   private:
    std::optional<RunStore> m_reader;
    std::filesystem::path m_file;
    std::uint64_t m_inode = 0;
  };

  void post(std::function<void()> work);
  static void deliver(std::function<void()> done);

  std::filesystem::path m_file;
  std::shared_ptr<Shelf> m_shelf;
  QThreadPool m_pool;
  QThreadPool m_warming;
  std::atomic<bool> m_ending{false};
};

}  // namespace millrace
