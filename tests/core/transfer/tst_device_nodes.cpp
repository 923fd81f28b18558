// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Nodes after a transfer give the same batches as on the CPU, bit for bit: on the emulated device,
// or with MILLRACE_TEST_BACKEND=cuda on a real one.
#include <fmt/format.h>
#include <QTemporaryDir>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/codecs/encode.h"
#include "core/cuda/device.h"
#include "core/run/executor.h"
#include "tests/core/run/run_support.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;  // NOLINT(google-build-using-namespace): everything here is a test

namespace fs = std::filesystem;

class TestDeviceNodes : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  static const char* backend() {
    const char* named = std::getenv("MILLRACE_TEST_BACKEND");
    return named == nullptr ? "emulated" : named;
  }

  std::string chain(const std::string& nodes) const {
    return fmt::format(
        "image_folder {{\"paths\": [\"{}\"]}}\nshuffle\nworkers {{\"count\": 2}}\ndecode\n"
        "resize {{\"height\": 48, \"width\": 44}}\nbatch {{\"size\": 5}}\ntransfer\n{}\ndrain",
        m_folder.path().toStdString(), nodes);
  }

  /// Pictures, and masks of five classes for them, of different sizes.
  static void writeScene(const fs::path& folder, int count) {
    writePictures(folder / "all", count);
    fs::create_directories(folder / "images");
    fs::create_directories(folder / "masks");
    for (const auto& entry : fs::recursive_directory_iterator(folder / "all")) {
      if (!entry.is_regular_file()) continue;
      const std::string name = entry.path().stem().string();
      fs::rename(entry.path(), folder / "images" / entry.path().filename());
      const int i = std::stoi(name);
      const int width = 40 + i * 7 % 50;
      const int height = 36 + i * 11 % 60;
      std::vector<std::uint8_t> classes(static_cast<std::size_t>(width * height));
      for (std::size_t p = 0; p < classes.size(); ++p)
        classes[p] = static_cast<std::uint8_t>((p / 3 + p % 7) % 5);
      const auto file = encodePng({classes.data(), width, height, 1, width});
      std::ofstream(folder / "masks" / (name + ".png"), std::ios::binary)
          .write(reinterpret_cast<const char*>(file->data()),
                 static_cast<std::streamsize>(file->size()));
    }
  }

  /// Runs the chain with and without the device, fused and unfused.
  void compare(const std::string& nodes, const std::string& wholeChain = {}) const {
    for (const bool fuse : {true, false}) {
      const ExecutorOptions options = epochs(2);
      const std::string text = wholeChain.empty() ? chain(nodes) : wholeChain;
      qputenv("MILLRACE_BACKEND", "cpu");
      const Outcome host = runChain(text, options, {5, fuse, false});
      qputenv("MILLRACE_BACKEND", backend());
      const Outcome device = runChain(text, options, {5, fuse, false});
      QVERIFY2(host.end == RunEnd::Finished, (nodes + ": " + host.error).c_str());
      QVERIFY2(device.end == RunEnd::Finished, (nodes + ": " + device.error).c_str());
      QVERIFY2(!host.batches.empty(), nodes.c_str());
      QVERIFY2(device.batches == host.batches, (nodes + (fuse ? "" : " (not joined)")).c_str());
    }
  }

 private slots:
  void initTestCase() { writePictures(m_folder.path().toStdString(), 13); }
  void init() {
    qputenv("MILLRACE_BACKEND", backend());
    const DeviceSupport support = deviceSupport();
    if (!support.usable) QSKIP(support.reason.c_str());
  }
  void cleanup() { qunsetenv("MILLRACE_BACKEND"); }

  void geometryGivesWhatTheCpuGives() {
    compare(R"(random_resized_crop {"height": 24, "width": 20})");
    compare(R"(resize {"height": 17, "width": 30, "filter": "bicubic"})");
    compare(R"(resize {"height": 24, "width": 24, "mode": "fit", "fill": [10, 20, 30]})");
    compare(R"(resize {"height": 24, "width": 20, "mode": "cover", "antialias": false})");
    compare(
        "resize {\"height\": 30, \"width\": 30, \"mode\": \"at_least\"}\n"
        "centre_crop {\"height\": 24, \"width\": 20, \"rounding\": \"even\"}");
    compare(
        "resize {\"height\": 40, \"width\": 40}\nrandom_crop {\"height\": 24, \"width\": 20}\n"
        "flip {\"vertical\": 0.5}");
    compare(R"(crop {"x": 3, "y": 5, "height": 17, "width": 21})");
    compare(
        "pad {\"left\": 5, \"border\": \"reflect\"}\ncentre_crop {\"height\": 9, \"width\": 8, "
        "\"pad\": true}");
  }

  void aTrainingChainGivesWhatTheCpuGives() {
    for (const char* dtype : {"u8", "f32", "f16", "bf16"})
      for (const char* layout : {"nhwc", "nchw"})
        compare(
            fmt::format("random_resized_crop {{\"height\": 24, \"width\": 20}}\nflip\n{}"
                        "precision {{\"dtype\": \"{}\", \"layout\": \"{}\"}}",
                        std::string(dtype) == "u8" ? "" : "normalise\n", dtype, layout));
  }

  void oneHotGivesWhatTheCpuGives() {
    for (const char* dtype : {"u8", "f32"})
      compare(
          fmt::format("one_hot {{\"classes\": 7, \"unknown\": \"ignore\", \"dtype\": "
                      "\"{}\"}}",
                      dtype));
    // Fewer classes than labels: the others give zeros; and then mixup of the result.
    compare("one_hot {\"classes\": 2, \"unknown\": \"ignore\"}\nmixup");
  }

  void valuesOfNoClassAreLookedForOnTheCpuAlone() {
    const Result<Plan> plan = planOf(chain("one_hot {\"classes\": 7}"));
    QVERIFY(!plan.ok());
    QVERIFY2(plan.error().message.find("set unknown to ignore") != std::string::npos,
             plan.error().message.c_str());
  }

  /// Masks of one size, and masks of varying size with a resize after them.
  void oneHotMasksAreWhatTheCpuGives() {
    const QTemporaryDir scene;
    writeScene(scene.path().toStdString(), 11);
    const std::string resize = "resize {\"height\": 14, \"width\": 18}\n";
    for (const bool anySize : {false, true})
      for (const char* layout : {"nhwc", "nchw"}) {
        if (anySize && *(layout + 1) == 'c') continue;  // Geometry needs channels last.
        const std::string oneHot = fmt::format(
            "one_hot {{\"classes\": 3, \"unknown\": \"ignore\", \"layout\": "
            "\"{}\", \"dtype\": \"u8\"}}\n",
            layout);
        compare(oneHot, fmt::format("paired_folders {{\"input\": \"{0}/images\", \"target\": "
                                    "\"{0}/masks\", \"pair\": \"mask\"}}\ndecode\n{1}"
                                    "batch {{\"size\": 4}}\ntransfer\n{2}{3}drain",
                                    scene.path().toStdString(), anySize ? "" : resize, oneHot,
                                    anySize ? resize : ""));
      }
  }

  void coloursGiveWhatTheCpuGives() {
    const std::string crop = "random_resized_crop {\"height\": 24, \"width\": 20}\n";
    compare(crop + "jitter");
    compare(crop + "jitter {\"contrast\": 0}\nchannel_shift\ngrayscale {\"probability\": 0.5}");
    compare(crop +
            "flip\ngrayscale {\"probability\": 0.3}\njitter\nchannel_shift\njitter\n"
            "normalise\nprecision {\"dtype\": \"f16\"}");
  }

  void picturesOfAnySizeAreBroughtToOneOnTheDevice() {
    for (const char* way : {"shuffle\nworkers {\"count\": 2}\ndecode\n", "decode\n"})
      for (const char* nodes :
           {"resize {\"height\": 17, \"width\": 30}",
            "blur {\"kernel\": 5}\naffine\nrandom_resized_crop {\"height\": 24, \"width\": "
            "20}\nflip\njitter\nnormalise\nprecision {\"dtype\": \"f16\"}"})
        compare(nodes, fmt::format("image_folder {{\"paths\": [\"{}\"]}}\n{}batch {{\"size\": 5}}\n"
                                   "transfer\n{}\ndrain",
                                   m_folder.path().toStdString(), way, nodes));
  }

  void thePlanSaysThatRowsHaveAnySize() {
    const Result<Plan> plan =
        planOf(fmt::format("image_folder {{\"paths\": [\"{}\"]}}\ndecode\nbatch {{\"size\": 5}}\n"
                           "transfer\nresize {{\"height\": 10, \"width\": 20}}\ndrain",
                           m_folder.path().toStdString()));
    QVERIFY(plan.ok());
    // Only the output of the resize has a known size.
    QCOMPARE(plan->queues[1].batchBytes, std::size_t{5 * (10 * 20 * 3 + 8)});
    QVERIFY(plan->queues[0].anySize && plan->queues[1].anySize);
    QVERIFY(plan->text()[4].find("and rows of varying size of GPU memory") != std::string::npos);
  }

  /// Some pictures are smaller than the crop.
  void picturesThatFailOnTheDeviceFailAsOnTheCpu() {
    for (const char* how : {"shorten", "fill"}) {
      const std::string text = fmt::format(
          "image_folder {{\"paths\": [\"{}\"]}}\ndecode\nbatch {{\"size\": 5, \"on_failure\": "
          "\"{}\"}}\ntransfer\ncentre_crop {{\"height\": 50, \"width\": 50}}\ndrain",
          m_folder.path().toStdString(), how);
      qputenv("MILLRACE_BACKEND", "cpu");
      const Outcome host = runChain(text, withFailures(epochs(1), 12));
      qputenv("MILLRACE_BACKEND", backend());
      const Outcome device = runChain(text, withFailures(epochs(1), 12));
      QVERIFY2(device.end == RunEnd::Finished, device.error.c_str());
      QVERIFY(host.totals.failedSamples > 2);
      QCOMPARE(device.totals.failedSamples, host.totals.failedSamples);
      QVERIFY(device.batches == host.batches);
    }
  }

  void affineBlurAndEraseGiveWhatTheCpuGives() {
    const std::string crop = "random_resized_crop {\"height\": 24, \"width\": 20}\n";
    for (const char* border : {"constant", "edge", "symmetric", "reflect", "wrap"})
      compare(crop + fmt::format("affine {{\"border\": \"{}\", \"shear\": 9, \"zoom_min\": 0.7}}",
                                 border));
    compare(crop +
            "affine {\"filter\": \"nearest\"}\nblur {\"kernel\": 7, \"probability\": 0.7}\n"
            "erase\nnormalise");
  }

  void mixingGivesWhatTheCpuGives() {
    for (const char* mix : {"mixup", "cutmix", "mixup {\"probability\": 0.5}"})
      compare(mix, fmt::format("image_folder {{\"paths\": [\"{}\"]}}\nshuffle\ndecode\n"
                               "random_resized_crop {{\"height\": 24, \"width\": 20}}\n"
                               "one_hot {{\"classes\": 3}}\nbatch {{\"size\": 5}}\ntransfer\n"
                               "normalise\nprecision {{\"dtype\": \"f16\"}}\n{}\ndrain",
                               m_folder.path().toStdString(), mix));
  }

  void withoutDrawsTheMiddleIsTheSame() {
    const ExecutorOptions options = epochs(1);
    const PlanSettings middle{5, true, true};
    const std::string text = chain(
        "random_resized_crop {\"height\": 24, \"width\": 20}\nflip\njitter\nnormalise\nprecision");
    qputenv("MILLRACE_BACKEND", "cpu");
    const Outcome host = runChain(text, options, middle);
    qputenv("MILLRACE_BACKEND", backend());
    const Outcome device = runChain(text, options, middle);
    QVERIFY2(device.end == RunEnd::Finished, device.error.c_str());
    QVERIFY(device.batches == host.batches);
  }
};

}  // namespace millrace

using millrace::TestDeviceNodes;
MILLRACE_TEST_CASE(TestDeviceNodes)
#include "tst_device_nodes.moc"
