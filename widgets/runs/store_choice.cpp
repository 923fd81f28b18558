// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/store_choice.h"

#include <utility>

#include "core/store/run_store.h"
#include "widgets/bridge/file_work.h"
#include "widgets/common/strings.h"
#include "widgets/runs/store_thread.h"

namespace millrace {

namespace {

QString errorOf(const Result<RunStore>& opened) {
  return opened.ok() ? QString() : StoreThread::textOf(opened.error());
}

}  // namespace

void lookAtStore(QObject& receiver, const QString& file,
                 std::function<void(const StoreLook&)> done) {
  doFileWork(receiver, [path = pathOf(file), done = std::move(done)]() -> std::function<void()> {
    StoreLook look;
    std::error_code ignored;
    look.isNew =
        std::filesystem::status(path, ignored).type() == std::filesystem::file_type::not_found;
    Database::Options reading;
    reading.mode = Database::Mode::Read;
    if (!look.isNew) look.error = errorOf(RunStore::open(path, reading));
    return [done, look] { done(look); };
  });
}

void makeStore(QObject& receiver, const QString& file,
               std::function<void(const QString& error)> done) {
  doFileWork(receiver, [path = pathOf(file), done = std::move(done)]() -> std::function<void()> {
    return [done, error = errorOf(RunStore::open(path))] { done(error); };
  });
}

}  // namespace millrace
