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

/// The result of a job on the store.
template <class T>
struct StoreAnswer {
  std::optional<T> value;
  QString error;         ///< a sentence with its remedy; empty if there is a value or no store
  bool noStore = false;  ///< the file does not exist yet: no run has been kept
};

/// The store of runs, used on a separate thread, one job after the other, so that the GUI thread
/// never waits for a file. GUI thread.
class StoreThread : public QObject {
  Q_OBJECT
 public:
  explicit StoreThread(std::filesystem::path file, QObject* parent = nullptr);
  /// Waits for the current job and for those requested by `change`.
  ~StoreThread() override;

  const std::filesystem::path& file() const { return m_file; }
  /// Sets the file for all later jobs.
  void setFile(std::filesystem::path file) { m_file = std::move(file); }

  /// A counter with which later requests outdate earlier ones, so that outdated jobs are not
  /// started.
  using Ticket = std::shared_ptr<const std::atomic<std::uint64_t>>;
  struct Urgency {
    Ticket newest;  ///< nullptr: never outdated
    std::uint64_t number = 0;
    bool isStale() const { return newest && *newest != number; }
  };

  /// Reads: `job` runs on the store's thread, then `done` here, unless `context` was destroyed or
  /// the job was outdated before it began.
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
          answer->error = textOf(result.error());
      }
      deliver([self, done, answer] {
        if (self) done(std::move(*answer));
      });
    });
  }

  /// Writes: `error` is empty on success.
  void change(QObject* context, std::function<Status(RunStore&)> job,
              std::function<void(const QString& error)> done);

  /// Calls RunStore::warm on another thread; requests made meanwhile are served. `done` may be
  /// empty.
  void warm(QObject* context, std::function<void()> done = {});

  /// A text that differs once the store's file has changed. It is taken after the jobs requested
  /// before, so that they have not read anything newer.
  void trace(QObject* context, std::function<void(const QString&)> done);

  /// An error of the store as a sentence.
  static QString textOf(const Error& error);

 private:
  /// The open stores; only used on the store's thread.
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
