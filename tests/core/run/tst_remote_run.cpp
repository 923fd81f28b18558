// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The same pipelines on local files and from a server: the same batches, bit for bit.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "core/storage/remote_figures.h"
#include "tests/core/run/run_support.h"
#include "tests/support/needs_part.h"
#include "tests/support/record_bytes.h"
#include "tests/support/tar_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/support/web_server.h"

namespace millrace {

using namespace tests;  // NOLINT(google-build-using-namespace): everything here is a test

namespace fs = std::filesystem;

class TestRemoteRun : public QObject {
  Q_OBJECT

  TemporaryFolder m_folder;

  static constexpr int kPictures = 60;
  static constexpr const char* kWork =
      "decode\nrandom_resized_crop {\"height\": 24, \"width\": 20}\nflip\nbatch {\"size\": 7}\n"
      "prefetch\ndrain";

  /// Everything below the folder, at `/data/` of the server.
  void serve(WebServer& server) const {
    for (const auto& entry : fs::recursive_directory_iterator(m_folder.path()))
      if (entry.is_regular_file())
        server.put("/data/" + fs::relative(entry.path(), m_folder.path()).native(),
                   contentOf(entry.path()));
    qputenv("AWS_ENDPOINT_URL", server.url().c_str());
  }

  void writeContainers() const {
    std::string shard;
    std::string records;
    std::string table = "path,label\n";
    int number = 0;
    std::vector<fs::path> pictures;
    for (const auto& entry : fs::recursive_directory_iterator(m_folder.path() / "photos"))
      if (entry.is_regular_file()) pictures.push_back(entry.path());
    std::ranges::sort(pictures);
    for (const fs::path& picture : pictures) {
      const std::string bytes = contentOf(picture);
      const std::string key = fmt::format("{:05}", number);
      const std::string label = std::to_string(number % 3);
      shard +=
          tarMember(key + picture.extension().native(), bytes) + tarMember(key + ".cls", label);
      records += tfRecord(example(bytesFeature("image/encoded", {bytes}) +
                                  intFeature("image/class/label", {number % 3})));
      table += "photos/" + fs::relative(picture, m_folder.path() / "photos").native() + "," +
               label + "\n";
      if (++number % 20 != 0) continue;
      const std::string name = fmt::format("{:03}", number / 20 - 1);
      m_folder.write("shards/part-" + name + ".tar", shard + tarEnd());
      m_folder.write("records/part-" + name + ".tfrecord", records);
      shard.clear();
      records.clear();
    }
    m_folder.write("list.csv", table);
  }

  static Outcome run(const std::string& source, const std::string& region = workers(3),
                     const ExecutorOptions& options = epochs(2)) {
    return runChain(source + "\nshuffle\n" + region + "\n" + kWork, options);
  }

  static std::string source(const char* kind, const std::string& paths) {
    return fmt::format("{} {{\"paths\": [\"{}\"]}}", kind, paths);
  }

  void compare(const char* kind, const std::string& local, const std::string& remote) {
    const Outcome one = run(source(kind, (m_folder.path() / local).native()));
    QVERIFY2(one.end == RunEnd::Finished, one.error.c_str());
    QCOMPARE(one.batches.size(), std::size_t{18});
    const Outcome other = run(source(kind, remote));
    QVERIFY2(other.end == RunEnd::Finished, other.error.c_str());
    QVERIFY2(other.batches == one.batches, remote.c_str());
  }

 private slots:
  void initTestCase() {
    MILLRACE_NEEDS_PART("curl");
    qputenv("no_proxy", "*");
    qputenv("AWS_NO_SIGN_REQUEST", "1");
    qputenv("MILLRACE_REMOTE_TIMEOUT", "2");
    fs::create_directories(m_folder.path() / "photos");
    writePictures(m_folder.path() / "photos", kPictures);
    writeContainers();
  }

  void everySourceGivesTheSameBatches() {
    WebServer server;
    serve(server);
    compare("image_folder", "photos", "s3://data/photos");
    compare("webdataset", "shards", "s3://data/shards");
    compare("webdataset", "shards", server.url("/data/shards/part-{000..002}.tar"));
    compare("tfrecord", "records", "s3://data/records");
    compare("manifest", "list.csv", "s3://data/list.csv");
    compare("manifest", "list.csv", server.url("/data/list.csv?sig=1"));
  }

  void faultsChangeNoSample() {
    const Outcome one =
        run(source("image_folder", (m_folder.path() / "photos").native()), workers(4), epochs(50));
    QVERIFY2(one.end == RunEnd::Finished, one.error.c_str());
    WebServer server;
    serve(server);
    std::atomic<int> faults{0};
    server.answerBy([&](const WebRequest& request) {
      using Body = WebAnswer::Body;
      WebAnswer answer;
      std::minstd_rand random(static_cast<unsigned>(request.number * 7919 + 1));
      random.discard(10);
      if (random() % 3 != 0) return answer;
      ++faults;
      switch (random() % 12) {
        case 0: answer.status = 503; break;
        case 1: answer.status = 429; break;
        case 2:
        case 3:
        case 4: answer.status = 500; break;
        case 5:
        case 6:
        case 7: answer.how = Body::Short; break;
        default: answer.how = Body::Reset; break;
      }
      return answer;
    });
    const Outcome other = run(source("image_folder", "s3://data/photos"), workers(4), epochs(50));
    QVERIFY2(other.end == RunEnd::Finished, other.error.c_str());
    QVERIFY(other.failures.empty());
    QVERIFY2(faults > 1000, std::to_string(faults).c_str());
    QVERIFY(other.batches == one.batches);
  }

  void aServerThatGoesAwayEndsTheRunWithASentence() {
    auto server = std::make_unique<WebServer>();
    serve(*server);
    server->answerBy([](const WebRequest& request) {
      WebAnswer answer;
      if (request.number > 40) answer.status = 403;
      return answer;
    });
    const Outcome gone = run(source("image_folder", "s3://data/photos"), workers(4), epochs(100));
    QVERIFY(gone.end == RunEnd::Failed);
    QVERIFY2(gone.error.find("no permission (403)") != std::string::npos, gone.error.c_str());
  }

  void formatsThatNeedADiskSaySo() {
    for (const char* kind : {"hdf5", "lmdb"}) {
      const Outcome refused = run(source(kind, "s3://data/x"));
      QVERIFY2(refused.error.find("can be read only from a disk: copy `s3://data/x`") !=
                   std::string::npos,
               refused.error.c_str());
    }
  }

  void noSecretIsShown() {
    qunsetenv("AWS_NO_SIGN_REQUEST");
    qputenv("AWS_ACCESS_KEY_ID", "AKIDSHOWN");
    qputenv("AWS_SECRET_ACCESS_KEY", "SECRETKEY");
    qputenv("AWS_SESSION_TOKEN", "SECRETTOKEN");
    WebServer server;
    qputenv("AWS_ENDPOINT_URL", server.url().c_str());
    WebAnswer denied;
    denied.status = 403;
    server.answerBy([denied](const WebRequest&) { return denied; });
    const Outcome refused = run(source("webdataset", "s3://data/a.tar"));
    QVERIFY(refused.error.find("no permission (403)") != std::string::npos);
    QVERIFY(refused.error.find("SECRET") == std::string::npos);
    QVERIFY(refused.error.find("AKIDSHOWN") == std::string::npos);
  }
};

}  // namespace millrace

using millrace::TestRemoteRun;
MILLRACE_TEST_CASE(TestRemoteRun)
#include "tst_remote_run.moc"
