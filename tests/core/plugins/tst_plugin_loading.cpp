// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Which plug-ins are found, and the sentence for each that is not taken.
#include <sys/stat.h>

#include <cstdlib>

#include "core/base/text/text.h"
#include "core/nodes/builtin.h"
#include "core/plugins/plugins.h"
#include "core/spec/catalog_text.h"
#include "tests/core/plugins/plugin_files.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

Catalog loaded(const std::vector<PluginPlace>& places) {
  Catalog catalog;
  NodeSpec flip;
  flip.kind = "flip";
  catalog.add(flip);
  addPlugins(places, catalog);
  return catalog;
}

std::string refusals(const Catalog& catalog) { return join(catalog.refused(), "\n"); }

}  // namespace

class TestPluginLoading : public QObject {
  Q_OBJECT
 private slots:
  void kindsAreDescribedLikeOurs() {
    const Catalog catalog = loaded({{pluginFile("kinds"), true}});
    QCOMPARE(refusals(catalog), std::string());
    QCOMPARE(catalog.all().size(), std::size_t(9));
    const NodeSpec* const shift = catalog.find("test_shift");
    QVERIFY(shift != nullptr);
    QCOMPARE(shift->plugin, std::string("test-kinds"));
    QCOMPARE(shift->pluginFile, std::filesystem::canonical(pluginFile("kinds")).string());
    QCOMPARE(shift->label, std::string("Shift"));
    QCOMPARE(shift->category, Category::Colour);
    QCOMPARE(shift->role, NodeRole::Sample);
    QVERIFY(shift->deviceOp != nullptr && shift->batchOp == nullptr);
    QCOMPARE(shift->params.size(), std::size_t(2));
    QCOMPARE(shift->params[0].allowed(), std::string("-255 to 255 levels"));
    QVERIFY(shift->params[0].live);
    QCOMPARE(shift->params[1].name, std::string("fields"));
    QCOMPARE(catalog.find("test_shift_batch")->role, NodeRole::BatchOp);
    QVERIFY(nodeHelpText(*shift).find("Added to each byte.") != std::string::npos);
  }

  void eachRefusalIsASentence_data() {
    QTest::addColumn<QString>("plugin");
    QTest::addColumn<QString>("why");
    QTest::newRow("nothing") << "exports_nothing" << "exports no function millrace_nodes";
    QTest::newRow("version")
        << "of_another_version"
        << "is made for version 9 of the interface for nodes, and this Millrace "
           "has version 1";
    QTest::newRow("no table") << "without_table" << "its millrace_nodes returned NULL";
    QTest::newRow("throws") << "that_throws"
                            << "cannot be used: the plug-in threw an exception: not today";
    QTest::newRow("name") << "without_name" << "has no name of at most 40";
    QTest::newRow("function") << "without_function" << "`good_one` has no function process";
    QTest::newRow("JSON") << "with_broken_json"
                          << "(number 1): the description is not JSON: [json.exception";
    QTest::newRow("missing") << "there_is_none" << "there is no such file or folder";
  }
  void eachRefusalIsASentence() {
    QFETCH(QString, plugin);
    QFETCH(QString, why);
    const std::string file = pluginFile(plugin.toStdString());
    const Catalog catalog = loaded({{file, true}});
    QVERIFY2(refusals(catalog).find(why.toStdString()) != std::string::npos,
             refusals(catalog).c_str());
    QVERIFY2(refusals(catalog).starts_with(file), refusals(catalog).c_str());
  }

  void aKindThatExistsIsRefusedAndTheOthersAreTaken() {
    Catalog catalog = loaded({{pluginFile("with_broken_json"), true}});
    QVERIFY(catalog.find("good_one") != nullptr);
    QCOMPARE(catalog.refused().size(), std::size_t(2));
    QVERIFY2(refusals(catalog).find("(number 2): Millrace itself has a kind `flip`") !=
                 std::string::npos,
             refusals(catalog).c_str());
    addPlugins({{pluginFile("kinds"), true}, {pluginFile("kinds"), true}}, catalog);
    QCOMPARE(catalog.refused().size(), std::size_t(2));  // The same file twice is one plug-in.
    TemporaryFolder folder;
    std::filesystem::copy_file(pluginFile("kinds"), folder.path() / "again.so");
    addPlugins({{folder.path() / "again.so", true}}, catalog);
    QVERIFY2(refusals(catalog).find("the plug-in `test-kinds` has a kind `test_shift` too") !=
                 std::string::npos,
             refusals(catalog).c_str());
  }

  void aFolderMayHoldAnything() {
    TemporaryFolder folder;
    folder.write("a.so", "no library");
    folder.write("empty.so", "");
    folder.write("README", "text");
    folder.makeFolder("folder.so");
    folder.link("dangling.so", "/nowhere.so");
    QCOMPARE(::mkfifo((folder.path() / "pipe.so").c_str(), 0600), 0);
    std::filesystem::copy_file(pluginFile("kinds"), folder.path() / "kinds.so");
    const Catalog catalog = loaded({{folder.path(), true}});
    QVERIFY(catalog.find("test_shift") != nullptr);
    QCOMPARE(catalog.refused().size(), std::size_t(2));
    for (const std::string& refused : catalog.refused())
      QVERIFY2(refused.find("cannot be loaded") != std::string::npos, refused.c_str());
  }

  void placesAreSearchedInOrder() {
    qputenv("MILLRACE_NODES", "/one.so::/two");
    qputenv("XDG_DATA_HOME", "/data");
    const std::vector<PluginPlace> places = pluginPlaces();
    QVERIFY(places.size() >= 3);
    QCOMPARE(places[0].path.string(), std::string("/one.so"));
    QCOMPARE(places[1].path.string(), std::string("/two"));
    QVERIFY(places[0].asked && places[1].asked);
    QCOMPARE(places[2].path.string(), std::string("/data/millrace/nodes"));
    QVERIFY(!places[2].asked);  // Most users have none.
    QVERIFY(loaded({places[2]}).refused().empty());
    qputenv("MILLRACE_NODES", "/one.so::two/three.so");
    fixPluginPaths();
    QCOMPARE(qgetenv("MILLRACE_NODES"),
             QByteArray("/one.so:") + std::filesystem::current_path().c_str() + "/two/three.so");
    qunsetenv("MILLRACE_NODES");
    fixPluginPaths();
    QVERIFY(!qEnvironmentVariableIsSet("MILLRACE_NODES"));
    qputenv("XDG_DATA_HOME", "relative");
    qputenv("HOME", "/me");
    QCOMPARE(pluginPlaces().front().path.string(), std::string("/me/.local/share/millrace/nodes"));
  }
};

MILLRACE_TEST_CASE(TestPluginLoading)

}  // namespace millrace::tests

#include "tst_plugin_loading.moc"
