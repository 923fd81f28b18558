// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/store/sql_piece.h"
#include "core/store/statement.h"

struct sqlite3;

namespace millrace {

/// How SQLite protects the file against an interrupted transaction.
enum class Journal : std::uint8_t {
  Wal,      ///< readers never wait; needs shared memory between the programs that use the file
  Rollback  ///< for network and user-space file systems, which cannot share memory
};

/// The journal that is safe on a file system, by the f_type of statfs(2): Rollback for NFS, SMB,
/// CIFS, FUSE, 9P, AFS, Ceph, Lustre, GPFS, BeeGFS and vboxsf (https://sqlite.org/wal.html, "All
/// processes using a database must be on the same host computer").
Journal journalFor(std::uint64_t fileSystemMagic);

/// One connection to a store file. Opening it migrates the file to the newest schema. One thread at
/// a time; each thread opens its own. Every error names the file and a remedy. A file that is not a
/// Millrace store is never written to.
class Database {
 public:
  enum class Mode : std::uint8_t {
    Write,          ///< creates the file and its folders if they do not exist
    Read,           ///< existing files only, read-only files included
    ReadUnmigrated  ///< like Read, but an older schema is not migrated; see isNewest
  };
  struct Options {
    Mode mode = Mode::Write;
    /// How long a statement waits for a transaction of another program.
    std::chrono::milliseconds busyTimeout{5000};
    /// If above 0: the file may not exceed this number of pages (of 4 096 bytes), as if the disk
    /// were full.
    std::int64_t maxPages = 0;
  };

  static Result<Database> open(const std::filesystem::path& file, const Options& options);
  static Result<Database> open(const std::filesystem::path& file) { return open(file, Options()); }

  const std::filesystem::path& file() const { return m_file; }
  /// Whether the schema is the newest; can only be false with Mode::ReadUnmigrated.
  bool isNewest() const { return m_newest; }
  /// Size of the file's pages in bytes, including free pages.
  Result<std::int64_t> bytes();

  /// A consistent copy of everything in a private database that is deleted with the object,
  /// migrated to the newest schema. Messages name this file.
  Result<Database> privateCopy();
  /// Writes a consistent copy of everything to `target`, which must not exist. With a write-ahead
  /// log, writers are not blocked meanwhile. After an error no file is left.
  Status copyTo(const std::filesystem::path& target);

  Result<Statement> prepare(std::string_view sql);
  /// Prepares, binds `values` in order and runs to the end; result rows are ignored.
  template <class... Values>
  Status run(std::string_view sql, const Values&... values) {
    return query(sql, [](const Statement&) {}, values...);
  }
  /// Like run, and calls `onRow` for each row; its columns are valid only during the call.
  template <class OnRow, class... Values>
  Status query(std::string_view sql, OnRow&& onRow, const Values&... values) {
    auto statement = prepare(sql);
    if (!statement.ok()) return statement.error();
    statement->bindAll(values...);
    return each(*statement, onRow);
  }
  /// The same with the piece's own values.
  template <class OnRow>
  Status query(const SqlPiece& piece, OnRow&& onRow) {
    auto statement = prepare(piece.sql);
    if (!statement.ok()) return statement.error();
    statement->bindAll(piece.values);
    return each(*statement, onRow);
  }
  /// Runs a statement of this database to its end and resets it for reuse.
  template <class OnRow>
  Status each(Statement& statement, OnRow&& onRow) {
    for (;;) {
      const int code = statement.step();
      if (code == Statement::kRow) {
        onRow(statement);
        continue;
      }
      // Get the message first, because a reset clears it.
      Status done;
      if (code != Statement::kDone) done = error(code);
      statement.reset();
      return done;
    }
  }
  std::int64_t lastInsertedRow() const;
  bool isInTransaction() const;
  /// An error if the open file is no longer the one at its path: what is written is then lost.
  Status isStillThere() const;

  /// The message for the user about an SQLite result code of this connection.
  Error error(int code) const;
  /// Whether the last statement failed because the file is damaged.
  bool lastWasDamage() const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };

  Database(std::filesystem::path file, std::unique_ptr<sqlite3, Close> handle)
      : m_file(std::move(file)), m_handle(std::move(handle)) {}
  static Result<Database> connect(const std::filesystem::path& file, int flags, bool immutable);
  Status configure(const Options& options);
  Status useJournal(Journal journal, std::chrono::milliseconds patience);
  Status copyInto(Database& target);

  std::filesystem::path m_file;
  std::unique_ptr<sqlite3, Close> m_handle;
  bool m_newest = true;
  mutable int m_lastError = 0;  ///< the code of the last call of error()
};

/// A transaction that is rolled back unless it was committed. It takes the write lock at its
/// beginning, so it cannot fail later because of another writer. Inside another transaction it
/// becomes a savepoint of that one. Must not outlive its database.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  /// An error if the transaction could not begin.
  const Status& begun() const { return m_begun; }
  Status commit();

 private:
  Database& m_database;
  bool m_isPart;
  Status m_begun;
  bool m_open = false;
};

}  // namespace millrace
