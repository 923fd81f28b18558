// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/annotations/annotation_format.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/annotations/xml_reader.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::TemporaryFolder;
using Texts = std::vector<std::string>;

Result<AnnotationTable> readIn(const TemporaryFolder& folder, const std::string& name,
                               AnnotatedPart part = AnnotatedPart::Train) {
  const std::filesystem::path path = folder.path() / name;
  const AnnotationFormat* format = annotationFormatOf(path);
  if (format == nullptr) return Error{"not recognised"};
  return format->read({path, {}, part});
}

/// "a.jpg: 0 [1 2 3 4], 1 [...]" for each picture.
Texts picturesOf(const AnnotationTable& table) {
  Texts texts;
  for (const AnnotatedPicture& picture : table.pictures) {
    std::string text = picture.path + ":";
    for (const AnnotatedObject& object : table.objectsOf(picture))
      text += fmt::format(" {} [{:g} {:g} {:g} {:g}]{}", object.label, object.box[0], object.box[1],
                          object.box[2], object.box[3], object.crowd ? " crowd" : "");
    texts.push_back(text);
  }
  return texts;
}

bool notes(const AnnotationTable& table, std::string_view part) {
  return std::ranges::any_of(
      table.notes, [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

constexpr const char* kCoco = R"({
  "info": {"id": 4, "bbox": [1, 2]},
  "annotations": [
    {"id": 1, "image_id": 7, "category_id": 90, "bbox": [10, 20, 30, 40], "area": 600, "iscrowd": 0,
     "segmentation": [[10, 20, 40, 20, 40, 60]]},
    {"id": 2, "image_id": 5, "category_id": 3, "bbox": [90, 10, 30, 10], "iscrowd": 1,
     "segmentation": {"counts": [1, 2], "size": [50, 100]}},
    {"id": 3, "image_id": 7, "category_id": 3, "bbox": [1.5, 2.5, 3, 4]},
    {"id": 4, "image_id": 99, "category_id": 3, "bbox": [1, 2, 3, 4]},
    {"id": 5, "image_id": 7, "category_id": 55, "bbox": [1, 2, 3, 4]},
    {"id": 6, "image_id": 7, "category_id": 3, "bbox": [1, 2, 0, 4]},
    {"id": 7, "image_id": 7, "category_id": 3, "bbox": [500, 2, 10, 4]},
    {"id": 8, "image_id": 7, "category_id": 3}],
  "images": [
    {"id": 7, "file_name": "sub\\b.jpg", "width": 200, "height": 100},
    {"id": 5, "file_name": "a.jpg", "width": 100, "height": 50},
    {"id": 5, "file_name": "again.jpg"}],
  "categories": [{"id": 90, "name": "dog"}, {"id": 3, "name": "cat"}]})";

}  // namespace

class TestAnnotations : public QObject {
  Q_OBJECT
 private slots:
  void cocoIsReadInAnyOrder() {
    const TemporaryFolder folder;
    folder.write("annotations/instances.json", kCoco);
    folder.write("images/train/sub/b.jpg");
    const auto table = readIn(folder, "annotations/instances.json");
    VERIFY_OK(table);
    QCOMPARE(table->folder, (folder.path() / "images/train").native());
    QCOMPARE(table->classes, (Texts{"cat", "dog"}));
    QCOMPARE(picturesOf(*table), (Texts{"sub/b.jpg: 1 [10 20 40 60] 0 [1.5 2.5 4.5 6.5]",
                                        "a.jpg: 0 [90 10 100 20] crowd"}));
    QCOMPARE(table->objects[0].area, 600.0F);
    QCOMPARE(table->objects[1].area, 12.0F);
    QVERIFY(notes(*table, "1 box of a picture that is not listed is left out; first: image_id 99"));
    QVERIFY(notes(*table, "1 box of a class that is not listed is left out"));
    QVERIFY(notes(*table, "1 box without area is left out"));
    QVERIFY(notes(*table, "1 box outside its picture is left out"));
    QVERIFY(notes(*table, "1 annotation without a box is left out"));
    QVERIFY(notes(*table, "1 picture with the id of another one is left out; first: again.jpg"));
  }

  void picturesAreThoseOfTheFolderThatTheFileNames() {
    const TemporaryFolder folder;
    for (const char* split : {"test", "train", "val"})
      folder.write(std::string(split) + "/sub/b.jpg");
    for (const char* split : {"val", "train"}) {
      const std::string file = std::string("annotations/instances_") + split + ".json";
      folder.write(file, kCoco);
      const auto table = readIn(folder, file);
      VERIFY_OK(table);
      QCOMPARE(table->folder, (folder.path() / split).native());
    }
  }

  void cocoKeypointsHaveNamesAndMirrorImages() {
    const TemporaryFolder folder;
    folder.write("a.jpg");
    folder.write("k.json", R"({"images": [{"id": "x1", "file_name": "a.jpg"}],
      "categories": [{"id": 1, "name": "person", "keypoints": ["nose", "left_eye", "right_eye"]}],
      "annotations": [{"image_id": "x1", "category_id": 1, "bbox": [0, 0, 9, 9],
        "keypoints": [1, 2, 2, 3, 4, 1, 0, 0, 0], "num_keypoints": 2}]})");
    const auto table = readIn(folder, "k.json");
    VERIFY_OK(table);
    QCOMPARE(table->pointNames, (Texts{"nose", "left_eye", "right_eye"}));
    QCOMPARE(mirroredPoints(table->pointNames), (std::vector<std::uint16_t>{0, 2, 1}));
    QCOMPARE(table->points, (std::vector<float>{1, 2, 2, 3, 4, 1, 0, 0, 0}));
    QVERIFY(mirroredPoints({"a", "b"}).empty());
  }

  void cocoSaysWhatIsWrong_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("cut") << QByteArray(kCoco).left(900) << "not valid JSON at byte";
    QTest::newRow("not a number") << QByteArray(kCoco).replace("1.5", "NaN") << "not valid JSON";
    QTest::newRow("no pictures") << QByteArray(R"({"annotations": [], "images": []})")
                                 << "lists no `images`";
    QTest::newRow("lists of the wrong form")
        << QByteArray(R"({"annotations": {"a": [1, {"bbox": 3}]}, "images": [3, "x", [4]]})")
        << "lists no `images`";
    QTest::newRow("no folder") << QByteArray(kCoco) << "give their folder: `images=FOLDER`";
  }
  void cocoSaysWhatIsWrong() {
    QFETCH(QByteArray, text);
    QFETCH(QString, says);
    const TemporaryFolder folder;
    // Pictures are looked for in the folder above, too: it must be one of the test's.
    folder.write("coco/c.json", text.toStdString());
    const auto table = annotationFormatNamed("coco")->read({folder.path() / "coco/c.json", {}, {}});
    QVERIFY(!table.ok());
    QVERIFY2(QString::fromStdString(table.error().message).contains(says),
             table.error().message.c_str());
  }

  void vocIsReadByItsLists() {
    const TemporaryFolder folder;
    const auto xml = [](const std::string& file, const std::string& objects) {
      return "<?xml version=\"1.0\"?>\n<annotation><filename>" + file +
             "</filename><size><width>500</width><height>375</height></size>" + objects +
             "</annotation>";
    };
    const std::string dog =
        "<object><name>dog &amp; co</name><part><name>head</name><bndbox><xmin>1</xmin></bndbox>"
        "</part><bndbox><xmin>48</xmin><ymin>240</ymin><xmax>195</xmax><ymax>371</ymax></bndbox>"
        "</object>";
    folder.write("Annotations/1.xml", xml("1.jpg", dog));
    folder.write("Annotations/2.xml", xml("2.jpg", ""));
    folder.write("Annotations/3.xml", "<annotation><size>");
    folder.write("JPEGImages/1.jpg");
    folder.write("JPEGImages/2.jpg");
    folder.write("ImageSets/Main/val.txt", "2\n");
    auto table = readIn(folder, "");
    VERIFY_OK(table);
    QCOMPARE(table->folder, (folder.path() / "JPEGImages").native());
    QCOMPARE(table->classes, (Texts{"dog & co"}));
    QCOMPARE(picturesOf(*table), (Texts{"1.jpg: 0 [47 239 195 371]", "2.jpg:"}));
    QVERIFY(notes(*table, "3.xml (<size> is not closed)"));
    table = readIn(folder, "", AnnotatedPart::Validation);
    VERIFY_OK(table);
    QCOMPARE(picturesOf(*table), (Texts{"2.jpg:"}));
    // Both parts number the classes alike, although no dog is in this one.
    QCOMPARE(table->classes, (Texts{"dog & co"}));
  }

  void yoloIsReadByItsYaml() {
    const TemporaryFolder folder;
    folder.write("data.yaml",
                 "path: /not/here  # root\ntrain: images/train\nval: images/val\n\nnames:\n"
                 "  1: \"traffic light\"\n  0: person\n  3: bus\n");
    folder.write("images/train/a.jpg");
    folder.write("images/train/b.jpg");
    folder.write("images/val/c.png");
    folder.write("labels/train/a.txt",
                 "1 0.5 0.5 0.2 0.4\n0 0.1 0.1 0.4 0.2\n5 0.5 0.5 1 1\nx\nnan 0 0 1 1\n");
    folder.write("labels/val/c.txt", "0 0.2 0.2 0.6 0.2 0.6 0.8\n");
    auto table = readIn(folder, "data.yaml");
    VERIFY_OK(table);
    QVERIFY(table->relative);
    QCOMPARE(table->classes, (Texts{"person", "traffic light", "2", "bus"}));
    QCOMPARE(picturesOf(*table), (Texts{"images/train/a.jpg: 1 [0.4 0.3 0.6 0.7] 0 [0 0 0.3 0.2]",
                                        "images/train/b.jpg:"}));
    QVERIFY(notes(*table, "1 of 2 pictures has no text file"));
    QVERIFY(notes(*table, "2 lines without an object are left out"));
    QVERIFY(notes(*table, "1 box of a class that is not listed is left out"));
    table = readIn(folder, "", AnnotatedPart::Validation);
    VERIFY_OK(table);
    QCOMPARE(picturesOf(*table), (Texts{"images/val/c.png: 0 [0.2 0.2 0.6 0.8]"}));
  }

  void yoloIsReadWithoutAYaml() {
    const TemporaryFolder folder;
    folder.write("train/images/a.jpg");
    folder.write("train/labels/a.txt", "2 0.5 0.5 0.2 0.4");
    folder.write("classes.txt", "a\nb\nc\n");
    const auto table = readIn(folder, "");
    VERIFY_OK(table);
    QCOMPARE(table->classes, (Texts{"a", "b", "c"}));
    QCOMPARE(picturesOf(*table), (Texts{"train/images/a.jpg: 2 [0.4 0.3 0.6 0.7]"}));
  }

  void yoloKeypointsAreRead() {
    const TemporaryFolder folder;
    folder.write("pose.yaml", "names: [hand]\nkpt_shape: [2, 2]\ntrain: images\n");
    folder.write("images/a.jpg");
    folder.write("labels/a.txt", "0 0.5 0.5 0.2 0.4 0.1 0.2 0 0");
    const auto table = readIn(folder, "pose.yaml");
    VERIFY_OK(table);
    QCOMPARE(table->points, (std::vector<float>{0.1F, 0.2F, 2, 0, 0, 0}));
  }

  void openImagesIsReadWithItsNames() {
    const TemporaryFolder folder;
    folder.write("train-annotations-bbox.csv",
                 "ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded,IsTruncated,"
                 "IsGroupOf\nb1,x,/m/01,1,0.1,0.2,0.3,0.4,0,0,1\na1,x,/m/00,1,0,1,0,1,0,0,0\n"
                 "b1,x,/m/00,1,0.5,abc,0,1,0,0,0\n");
    folder.write("class-descriptions-boxable.csv",
                 "LabelName,DisplayName\n/m/02,Cat\n/m/01,\"Dog, small\"\n");
    folder.write("train/a1.jpg");
    const auto table = readIn(folder, "train-annotations-bbox.csv");
    VERIFY_OK(table);
    QCOMPARE(table->classes, (Texts{"Cat", "Dog, small", "/m/00"}));
    QCOMPARE(picturesOf(*table),
             (Texts{"b1.jpg: 1 [0.1 0.3 0.2 0.4] crowd", "a1.jpg: 2 [0 0 1 1]"}));
    QVERIFY(notes(*table, "1 row without a box is left out; first: line 4"));
  }

  void labelmeIsReadAsBoxes() {
    const TemporaryFolder folder;
    for (const char* name : {"a.jpg", "sub/b.jpg"}) folder.write(name);
    folder.write(
        "a.json",
        R"({"shapes": [{"label": "dog", "points": [[5, 9], [1, 2]], "shape_type": "rectangle"},
                     {"label": "cat", "points": [[1, 1], [7, 3], [4, 8]], "shape_type": "polygon"},
                     {"label": "cat", "points": [[9, 9], [9, 12]], "shape_type": "circle"},
                     {"label": "cat", "points": [[9, 9]], "shape_type": "point"}],
                     "imagePath": "..\\old\\a.jpg", "imageWidth": 40, "imageHeight": 30})");
    folder.write("sub/b.json", R"({"shapes": [], "imagePath": "b.jpg"})");
    folder.write("sub/c.json", R"({"shapes": 4)");
    const auto table = readIn(folder, ".");
    VERIFY_OK(table);
    QCOMPARE(table->classes, (Texts{"cat", "dog"}));
    QCOMPARE(picturesOf(*table),
             (Texts{"a.jpg: 1 [1 2 5 9] 0 [1 1 7 8] 0 [6 6 12 12]", "sub/b.jpg:"}));
    QVERIFY(notes(*table, "1 shape that has no box is left out"));
    QVERIFY(notes(*table, "sub/c.json (it is not a file of labelme)"));
    folder.write("a.json", "{}");
    QVERIFY(!readIn(folder, "."));
  }

  void otherFilesAreNotAnnotations() {
    const TemporaryFolder folder;
    folder.write("a.json", R"({"images": 3})");
    folder.write("b.csv", "file,label\n1.jpg,cat\n");
    folder.write("c.yaml", "version: 2\n");
    folder.write("pairs/images/a.png");
    folder.write("pairs/labels/a.png");
    for (const char* name : {"a.json", "b.csv", "c.yaml", "pairs", "nothing"})
      QVERIFY2(annotationFormatOf(folder.path() / name) == nullptr, name);
  }

  void xmlIsReadEventByEvent() {
    const auto events = [](std::string_view text) {
      std::string all;
      XmlReader reader(text);
      for (;;) {
        switch (reader.next()) {
          case XmlReader::Event::Open: all += "<" + std::string(reader.name()) + ">"; break;
          case XmlReader::Event::Close: all += "</" + std::string(reader.name()) + ">"; break;
          case XmlReader::Event::Text: all += reader.content(); break;
          case XmlReader::Event::Broken: return all + "!";
          case XmlReader::Event::End: return all;
        }
      }
    };
    QCOMPARE(events("<!DOCTYPE x><a b='1'> <!-- <c> -->x &lt;&#x41;&#66;&nope; </a>"),
             std::string("<a>x <AB&nope;</a>"));
    QCOMPARE(events("<a/><b><![CDATA[<&>]]></b>"), std::string("<a></a><b><&></b>"));
    QCOMPARE(events("<a"), std::string("!"));
    QCOMPARE(events("<!-- "), std::string("!"));
    QCOMPARE(events("< >"), std::string("!"));
  }
};

MILLRACE_TEST_CASE(TestAnnotations)

}  // namespace millrace

#include "tst_annotations.moc"
