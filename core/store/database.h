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

/// How SQLite keeps a half-done transaction from harming the file.
enum class Journal : std::uint8_t {
  Wal,      ///< readers never wait; needs memory shared between the programs that use the file
  Rollback  ///< on network and user-space file systems, where that memory is not shared
};

/// The journal that is safe on a file system, by statfs(2)'s f_type: Rollback for NFS, SMB, CIFS,
/// FUSE, 9P, AFS, Ceph, Lustre, GPFS, BeeGFS and vboxsf (https://sqlite.org/wal.html, "All
/// processes using a database must be on the same host computer").
Journal journalFor(std::uint64_t fileSystemMagic);

/// One connection to a Millrace store file, brought up to the newest schema when it opens. One
/// thread at a time; each thread opens its own. Every error names the file and says what to do.
/// Nothing is written for a file that turns out not to be ours.
class Database {
 public:
  enum class Mode : std::uint8_t {
    Write,  ///< makes the file and its folders when there are none
    Read,   ///< an existing file alone; also one that may not be written
    Look    ///< as Read, and an older schema is left as it is: see isNewest
  };
  struct Options {
    Mode mode = Mode::Write;
    /// How long a statement waits for another program's transaction.
    std::chrono::milliseconds busyTimeout{5000};
    /// Above 0: the file takes no more pages (of 4 096 bytes) than this, as if the disk were full.
    std::int64_t maxPages = 0;
  };

  static Result<Database> open(const std::filesystem::path& file, const Options& options);
  static Result<Database> open(const std::filesystem::path& file) { return open(file, Options()); }

  const std::filesystem::path& file() const { return m_file; }
  /// Whether the schema is the newest; always, but with Mode::Look.
  bool isNewest() const { return m_newest; }
  /// Bytes of the file's pages, those that are free included.
  Result<std::int64_t> bytes();

  /// A copy of everything, as of one moment, in a database that nobody else sees and that goes
  /// with the object, brought up to the newest schema. Messages name this file.
  Result<Database> privateCopy();
  /// Writes everything, as of one moment, to `target`, which must not exist. Writers go on
  /// meanwhile where there is a write-ahead log. After an error no file is left.
  Status copyTo(const std::filesystem::path& target);

  Result<Statement> prepare(std::string_view sql);
  /// Prepares, binds `values` in order and steps to the end; rows are dropped.
  template <class... Values>
  Status run(std::string_view sql, const Values&... values) {
    return query(sql, [](const Statement&) {}, values...);
  }
  /// As run, and calls `onRow` for each row; the statement's columns are valid within the call.
  template <class OnRow, class... Values>
  Status query(std::string_view sql, OnRow&& onRow, const Values&... values) {
    auto statement = prepare(sql);
    if (!statement.ok()) return statement.error();
    statement->bindAll(values...);
    return each(*statement, onRow);
  }
  /// The same with a piece's own values.
  template <class OnRow>
  Status query(const SqlPiece& piece, OnRow&& onRow) {
    auto statement = prepare(piece.sql);
    if (!statement.ok()) return statement.error();
    statement->bindAll(piece.values);
    return each(*statement, onRow);
  }
  /// Steps a statement of this database to its end, and resets it for the next time.
  template <class OnRow>
  Status each(Statement& statement, OnRow&& onRow) {
    for (;;) {
      const int code = statement.step();
      if (code == Statement::kRow) {
        onRow(statement);
        continue;
      }
      // The sentence first: a reset clears what the connection says about the error.
      Status done;
      if (code != Statement::kDone) done = error(code);
      statement.reset();
      return done;
    }
  }
  std::int64_t lastInsertedRow() const;
  bool isInTransaction() const;

  /// The sentence for a person about an SQLite result code of this connection.
  Error error(int code) const;
  /// Whether the statement that failed last did so because the file is damaged there.
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
  mutable int m_lastError = 0;  ///< the code that error() spoke about last
};

/// A transaction that is rolled back unless it was committed. It takes the write lock at once, so
/// that it cannot fail half way for another writer. Within another one it is a part of that, which
/// is kept when the whole is. Lives shorter than its database.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  /// Whether the transaction began.
  const Status& begun() const { return m_begun; }
  Status commit();

 private:
  Database& m_database;
  bool m_isPart;
  Status m_begun;
  bool m_open = false;
};

}  // namespace millrace
