// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/database.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <system_error>

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/vfs.h>

#include "core/store/migrations/migrations.h"

namespace millrace {

Journal journalFor(std::uint64_t fileSystemMagic) {
  // From linux/magic.h, statfs(2) and the headers of file systems outside the kernel.
  constexpr std::array<std::uint64_t, 16> kNotShared = {
      0x6969,      // NFS
      0x517B,      // SMB
      0xFF534D42,  // CIFS
      0xFE534D42,  // SMB2
      0x65735546,  // FUSE
      0x01021997,  // 9P
      0x5346414F,  // AFS
      0x6B414653,  // AFS of the kernel
      0x73757245,  // Coda
      0x564C,      // NCP
      0x00C36400,  // Ceph
      0x0BD00BD0,  // Lustre
      0x47504653,  // GPFS
      0x19830326,  // BeeGFS
      0x786F4256,  // vboxsf
      0x7461636F,  // OCFS2
  };
  const bool notShared = std::ranges::find(kNotShared, fileSystemMagic) != kNotShared.end();
  return notShared ? Journal::Rollback : Journal::Wal;
}

namespace {

Journal journalOf(const std::filesystem::path& file) {
  struct statfs about = {};
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  if (statfs(folder.c_str(), &about) != 0) return Journal::Rollback;
  // f_type is signed on some machines, where CIFS would be negative.
  return journalFor(static_cast<std::uint32_t>(about.f_type));
}

Error readOnly(const std::filesystem::path& file) {
  return {fmt::format(
      "the store {} is read-only; allow writing to it and its folder, or choose another "
      "file with the setting `store`",
      file.string())};
}

/// A file name as an SQLite URI; three characters with a meaning there are escaped.
std::string uriOf(const std::filesystem::path& file) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(file).string()) {
    if (c == '?' || c == '#' || c == '%')
      uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    else
      uri += c;
  }
  return uri + "?immutable=1";
}

/// Whether another connection left a log with changes that are not in the file yet.
bool hasLog(const std::filesystem::path& file) {
  std::error_code ignored;
  const auto size = std::filesystem::file_size(file.string() + "-wal", ignored);
  return !ignored && size > 0;
}

/// SQLite opens devices and pipes, too, and makes its journal next to them.
Status isFileOrNew(const std::filesystem::path& file) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(file, ignored);
  if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) return {};
  return Error{fmt::format(
      "{} is not a Millrace store: it is a {}; choose another file with the setting `store`",
      file.string(), std::filesystem::is_directory(status) ? "folder" : "device or pipe")};
}

Status makeFolder(const std::filesystem::path& file) {
  if (!file.has_parent_path()) return {};
  std::error_code failed;
  std::filesystem::create_directories(file.parent_path(), failed);
  if (!failed) return {};
  return Error{fmt::format(
      "cannot make the folder {} for the store: {}; choose another file with the setting `store`",
      file.parent_path().string(), failed.message())};
}

}  // namespace

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

Result<Database> Database::connect(const std::filesystem::path& file, int flags, bool immutable) {
  sqlite3* handle = nullptr;
  const std::string name = immutable ? uriOf(file) : file.string();
  const int uri = immutable ? SQLITE_OPEN_URI : 0;
  const int code =
      sqlite3_open_v2(name.c_str(), &handle, flags | uri | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(file, std::unique_ptr<sqlite3, Close>(handle));
  if (handle == nullptr) return Error{"no memory to open the store " + file.string()};
  sqlite3_extended_result_codes(handle, 1);
  if (code != SQLITE_OK) return database.error(code);
  return database;
}

Result<Database> Database::open(const std::filesystem::path& file, const Options& options) {
  const bool write = options.mode == Mode::Write;
  MILLRACE_TRY(isFileOrNew(file));
  if (write) MILLRACE_TRY(makeFolder(file));
  auto database = connect(file, SQLITE_OPEN_READWRITE | (write ? SQLITE_OPEN_CREATE : 0), false);
  if (!database.ok()) return database.error();
  Status ready = database->configure(options);
  // Even reading needs a writable folder if there is a write-ahead log. Without one, no process has
  // the file open for writing, so it can be opened as immutable.
  if (!ready.ok() && !write && sqlite3_db_readonly(database->m_handle.get(), "main") != 0 &&
      !hasLog(file)) {
    database = connect(file, SQLITE_OPEN_READONLY, true);
    if (!database.ok()) return database.error();
    ready = database->configure(options);
  }
  if (!ready.ok()) return ready.error();
  return database;
}

Status Database::configure(const Options& options) {
  sqlite3* handle = m_handle.get();
  sqlite3_busy_timeout(handle, static_cast<int>(options.busyTimeout.count()));
  const auto version = storeVersion(*this);
  if (!version.ok()) return version.error();
  const bool unwritable = sqlite3_db_readonly(handle, "main") != 0;
  if (unwritable && options.mode == Mode::Write) return readOnly(m_file);
  m_newest = *version == migrations().size();
  if (options.mode == Mode::ReadUnmigrated) return run("PRAGMA query_only = ON");
  if (unwritable && *version < migrations().size())
    return Error{
        fmt::format("the store {} is of an older version and read-only, so it cannot be migrated; "
                    "make it writable once",
                    m_file.string())};
  MILLRACE_TRY(run("PRAGMA foreign_keys = ON"));
  MILLRACE_TRY(run("PRAGMA synchronous = NORMAL"));
  if (options.maxPages > 0)
    MILLRACE_TRY(run(fmt::format("PRAGMA max_page_count = {}", options.maxPages)));
  if (options.mode == Mode::Write) MILLRACE_TRY(useJournal(journalOf(m_file), options.busyTimeout));
  MILLRACE_TRY(migrate(*this, migrations().size()));
  m_newest = true;
  return {};
}

Status Database::useJournal(Journal journal, std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kPause{5};
  const std::string wanted = journal == Journal::Wal ? "wal" : "delete";
  std::string now;
  const auto keep = [&](const Statement& row) { now = row.text(0); };
  // Reading the mode first avoids the exclusive lock that a change needs.
  MILLRACE_TRY(query("PRAGMA journal_mode", keep));
  for (auto waited = kPause; now != wanted; waited += kPause) {
    const Status changed = query("PRAGMA journal_mode = " + wanted, keep);
    // SQLite does not wait for other connections here.
    const bool busy = !changed.ok() && (sqlite3_errcode(m_handle.get()) & 0xff) == SQLITE_BUSY;
    if (!busy || waited > patience) return changed;
    sqlite3_sleep(static_cast<int>(kPause.count()));
  }
  return {};
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(m_handle.get(), sql.data(), static_cast<int>(sql.size()), 0,
                                      &statement, nullptr);
  Statement prepared(statement);
  if (code != SQLITE_OK) return error(code);
  return prepared;
}

Result<std::int64_t> Database::bytes() {
  std::int64_t bytes = 0;
  MILLRACE_TRY(query("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
                     [&](const Statement& row) { bytes = row.integer(0); }));
  return bytes;
}

Status Database::copyInto(Database& target) {
  sqlite3_backup* copy = sqlite3_backup_init(target.m_handle.get(), "main", m_handle.get(), "main");
  if (copy == nullptr) return target.error(sqlite3_errcode(target.m_handle.get()));
  // All pages in one step, so the copy is consistent even if others write. With a write-ahead log
  // this does not block them.
  const int stepped = sqlite3_backup_step(copy, -1);
  const int code = sqlite3_backup_finish(copy);
  if (stepped == SQLITE_DONE && code == SQLITE_OK) return {};
  const int why = code == SQLITE_OK ? stepped : code;
  const bool ours = (why & 0xff) == SQLITE_CORRUPT || (why & 0xff) == SQLITE_NOTADB;
  return ours ? error(why) : target.error(why);
}

Result<Database> Database::privateCopy() {
  // An empty name makes SQLite create a temporary database on disk, deleted when it is closed.
  auto copy = connect("", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, false);
  if (!copy.ok()) return copy.error();
  copy->m_file = m_file;
  MILLRACE_TRY(copyInto(*copy));
  MILLRACE_TRY(copy->run("PRAGMA foreign_keys = ON"));
  MILLRACE_TRY(migrate(*copy, migrations().size()));
  return copy;
}

Status Database::copyTo(const std::filesystem::path& target) {
  const auto written = [&]() -> Status {
    auto copy = connect(target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, false);
    if (!copy.ok()) return copy.error();
    return copyInto(*copy);
  }();
  std::error_code ignored;
  if (!written.ok()) std::filesystem::remove(target, ignored);
  std::filesystem::remove(target.string() + "-journal", ignored);
  return written;
}

std::int64_t Database::lastInsertedRow() const { return sqlite3_last_insert_rowid(m_handle.get()); }

bool Database::isInTransaction() const { return sqlite3_get_autocommit(m_handle.get()) == 0; }

Status Database::isStillThere() const {
  int moved = 0;
  if (sqlite3_file_control(m_handle.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved) != SQLITE_OK ||
      moved == 0)
    return {};
  return Error{fmt::format(
      "the store {} was deleted, moved or replaced while it was in use, so this cannot be kept; "
      "put it back, or choose another file with the setting `store`",
      m_file.string())};
}

bool Database::lastWasDamage() const {
  const int code = m_lastError;
  return (code & 0xff) == SQLITE_CORRUPT || code == SQLITE_IOERR_SHORT_READ ||
         code == SQLITE_IOERR_CORRUPTFS || code == SQLITE_IOERR_DATA;
}

Error Database::error(int code) const {
  m_lastError = code;
  constexpr std::string_view kElse = "or choose another file with the setting `store`";
  const std::string file = m_file.string();
  const int system = sqlite3_system_errno(m_handle.get());
  const bool full = system == ENOSPC || system == EDQUOT;
  const std::string reason = system != 0 ? std::strerror(system) : sqlite3_errmsg(m_handle.get());
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {fmt::format("the store {} is locked by another program; end that program, {}", file,
                          kElse)};
    case SQLITE_READONLY: return readOnly(m_file);
    case SQLITE_FULL:
      return {
          fmt::format("the store {} cannot grow: the disk is full; free space, {}", file, kElse)};
    case SQLITE_IOERR:
      if (full)
        return {
            fmt::format("the store {} cannot grow: the disk is full; free space, {}", file, kElse)};
      return {fmt::format("the store {} cannot be read or written: {}; check the disk, {}", file,
                          reason, kElse)};
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return {fmt::format("the store {} cannot be opened: {}; check its path and permissions, {}",
                          file, reason, kElse)};
    case SQLITE_NOTADB:
      return {
          fmt::format("{} is not a Millrace store: it is not an SQLite database; choose another "
                      "file with the setting `store`",
                      file)};
    case SQLITE_CORRUPT:
      return {
          fmt::format("the store {} is damaged ({}); move it away, or save what is left with: "
                      "sqlite3 {} .recover",
                      file, sqlite3_errmsg(m_handle.get()), file)};
    default: return {fmt::format("the store {}: {}", file, sqlite3_errmsg(m_handle.get()))};
  }
}

Transaction::Transaction(Database& database)
    : m_database(database),
      m_isPart(database.isInTransaction()),
      m_begun(database.run(m_isPart ? "SAVEPOINT part" : "BEGIN IMMEDIATE")),
      m_open(m_begun.ok()) {}

Transaction::~Transaction() {
  if (!m_open) return;
  // After some errors SQLite has already rolled back; repeating it does no harm.
  if (!m_isPart) {
    static_cast<void>(m_database.run("ROLLBACK"));
    return;
  }
  static_cast<void>(m_database.run("ROLLBACK TO part"));
  static_cast<void>(m_database.run("RELEASE part"));
}

Status Transaction::commit() {
  if (!m_isPart) MILLRACE_TRY(m_database.isStillThere());
  MILLRACE_TRY(m_database.run(m_isPart ? "RELEASE part" : "COMMIT"));
  m_open = false;
  return {};
}

}  // namespace millrace
