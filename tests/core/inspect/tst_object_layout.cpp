// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/folder_content.h"
#include "core/inspect/pipeline_proposal.h"
#include "core/nodes/builtin.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::TemporaryFolder;

constexpr const char* kCoco =
    R"({"images": [{"id": 1, "file_name": "a.jpg", "width": 9, "height": 9}], "annotations": [
    {"image_id": 1, "category_id": 1, "bbox": [1, 1, 3, 3]}], "categories": [{"id": 1, "name": "x"}]})";
constexpr const char* kVoc =
    "<annotation><filename>a.jpg</filename><object><name>x</name><bndbox><xmin>1</xmin>"
    "<ymin>1</ymin><xmax>5</xmax><ymax>5</ymax></bndbox></object></annotation>";

}  // namespace

class TestObjectLayout : public QObject {
  Q_OBJECT
 private slots:
  void annotationsArePictureWithBoxes_data() {
    QTest::addColumn<QString>("annotation");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("picture");
    QTest::addColumn<QString>("format");
    QTest::newRow("COCO") << "annotations/instances_train.json" << kCoco << "train/a.jpg"
                          << "format of COCO, in `instances_train.json`";
    QTest::newRow("COCO next to the pictures") << "_annotations.coco.json" << kCoco << "a.jpg"
                                               << "format of COCO, in `_annotations.coco.json`";
    QTest::newRow("VOC") << "Annotations/a.xml" << kVoc << "JPEGImages/a.jpg"
                         << "format of Pascal VOC.";
    QTest::newRow("YOLO") << "labels/a.txt"
                          << "0 0.5 0.5 0.1 0.1"
                          << "images/a.jpg"
                          << "format of YOLO.";
    QTest::newRow("YOLO next to the pictures") << "0.txt"
                                               << "0 0.5 0.5 0.2 0.2"
                                               << "0.jpg"
                                               << "format of YOLO.";
    QTest::newRow("Open Images") << "train-annotations-bbox.csv"
                                 << "ImageID,LabelName,XMin,XMax,YMin,YMax\na,/m/1,0,1,0,1\n"
                                 << "train/a.jpg"
                                 << "format of Open Images, in `train-annotations-bbox.csv`";
  }
  void annotationsArePictureWithBoxes() {
    QFETCH(QString, annotation);
    QFETCH(QString, text);
    QFETCH(QString, picture);
    QFETCH(QString, format);
    const TemporaryFolder folder;
    folder.write(annotation.toStdString(), text.toStdString());
    folder.write(picture.toStdString());
    FolderContent content = detectContent(folder.path());
    QCOMPARE(content.layout, DataLayout::Objects);
    QVERIFY2(QString::fromStdString(content.description).contains(format),
             content.description.c_str());
    const auto proposal = proposePipeline(content, builtinCatalog());
    VERIFY_OK(proposal);
    QCOMPARE(proposal->like, std::string("detection"));
    const auto source = openSourceOf(proposal->graph, builtinCatalog());
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 1U);
    takeCounts(content, **source);
    QVERIFY2(content.description.starts_with("1 picture with boxes of 1 class."),
             content.description.c_str());
  }

  void ofSeveralFilesTheInstancesForTrainingAreUsed() {
    const TemporaryFolder folder;
    for (const char* name : {"captions_train.json", "instances_val.json", "instances_train.json"})
      folder.write(std::string("annotations/") + name, kCoco);
    const FolderContent content = detectContent(folder.path());
    QCOMPARE(content.paths.front().filename().native(), std::string("instances_train.json"));
  }
};

MILLRACE_TEST_CASE(TestObjectLayout)

}  // namespace millrace

#include "tst_object_layout.moc"
