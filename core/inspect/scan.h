// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/inspect/folder_content.h"
#include "core/inspect/folder_probe.h"

namespace millrace {

/// The limits of one detection, and what is left of them. One thread.
class Scan {
 public:
  Scan(const ScanLimits& limits, const std::atomic<bool>* stop) : m_limits(limits), m_stop(stop) {}

  const ScanLimits& limits() const { return m_limits; }
  const std::atomic<bool>* stop() const { return m_stop; }
  bool stopped() const { return m_stop != nullptr && *m_stop; }
  Result<FolderProbe> probe(const std::filesystem::path& folder) const {
    return probeFolder(folder, m_limits.namesPerFolder);
  }
  /// Reads the picture's header, up to a limited number of pictures in total, and keeps the
  /// smallest width and height in `content`.
  std::optional<Size> measure(const std::filesystem::path& file, FolderContent& content);
  /// Counts whether this file of the data is a pointer of Git LFS.
  void examine(const std::filesystem::path& file);
  /// Adds a note if examined files are pointers; if all are, the content is not readable.
  void reportPointers(FolderContent& content) const;

 private:
  const ScanLimits m_limits;
  const std::atomic<bool>* m_stop;
  std::size_t m_heads = 0;
  std::size_t m_examined = 0;
  std::size_t m_pointers = 0;  ///< of the examined files
};

/// "at least 12 pictures".
std::string countedFiles(std::size_t count, bool all, std::string_view what);

/// The result for container files, supported or not. `where` is for example " in `train`".
FolderContent containerContent(const Format& format, const std::filesystem::path& path,
                               std::size_t files, bool all, std::string_view where = {});
/// detectContent() of one file.
FolderContent detectFile(const std::filesystem::path& file, Scan& scan);

// Each step returns nullopt if the folder has another layout.

/// The folder `train`, if a validation folder is next to it.
std::optional<std::filesystem::path> trainFolder(const std::filesystem::path& folder,
                                                 const FolderProbe& seen);
/// The only folder that another name than `train` marks as the training split, such as `training`
/// or `bounding_box_train`, if the name of another folder marks a held-out split. Empty: there is
/// none.
std::string trainingSplit(const FolderProbe& seen);
/// Inputs and targets, or pictures and masks: in two folders, in one folder or several folders
/// with different name endings, or in two LMDB databases.
std::optional<FolderContent> detectPairs(const std::filesystem::path& folder,
                                         const FolderProbe& seen, Scan& scan);
/// Whether the files in the folder itself form pairs by their name endings.
bool hasPairs(const FolderProbe& seen);
/// A table that lists pictures, in the folder itself.
std::optional<FolderContent> detectManifest(const std::filesystem::path& folder,
                                            const FolderProbe& seen, Scan& scan);
/// The same in a folder of tables next to the pictures, such as `meta/train.csv`.
std::optional<FolderContent> manifestBeside(const std::filesystem::path& folder,
                                            const FolderProbe& seen, Scan& scan);
/// The same among the training pictures themselves, such as `train/metadata.csv`.
std::optional<FolderContent> manifestBelow(const std::filesystem::path& folder,
                                           const FolderProbe& seen, Scan& scan);
/// The error says why the file is not such a table.
Result<FolderContent> manifestContent(const std::filesystem::path& file, Scan& scan);
/// Whether the file may be a manifest by its name.
bool isManifestName(std::string_view name);
/// The containers of the split `train` in a folder that also has those of held-out splits.
struct TrainShards {
  std::string name;  ///< of the file, or of all in braces: `train-{00000..00003}-of-00004.parquet`
  std::size_t files = 0;
  std::size_t others = 0;  ///< of other splits
};
/// `names`: the folder's containers of one format. nullopt: they are not divided by name.
std::optional<TrainShards> trainShards(std::vector<std::string> names);
/// An array of samples and the array of their labels, such as `x_train.npy` and `y_train.npy`.
struct LabelledArrays {
  std::string samples;
  std::string labels;
};
/// Of several, the one for training; nullopt if names do not show any.
std::optional<LabelledArrays> labelledArrays(const FolderProbe& seen);
/// Pictures with boxes, whose annotations are in the folder itself or in a folder `annotations`.
std::optional<FolderContent> detectObjects(const std::filesystem::path& folder,
                                           const FolderProbe& seen, const Scan& scan);
/// The same, if `path` itself is such a file or folder.
std::optional<FolderContent> objectContent(const std::filesystem::path& path);
/// Adds a sentence to the details if a spreadsheet or a JSON file next to pictures without classes
/// may hold the labels, or a table that does not name them: `unread` says that none does.
void noteLabelFiles(const FolderProbe& seen, bool unread, FolderContent& content);
/// Adds sentences to the details of class folders below `root` that may not be the classes: all
/// of them hold more folders, or files of the same names.
void noteClassFolders(const std::filesystem::path& root, const Scan& scan, FolderContent& content);
/// A sentence and a space if the file, or one in the folder or in the folders in it, has a format
/// that is known and not read; otherwise empty.
std::string foreignNote(const std::filesystem::path& file);
std::string foreignNote(const std::filesystem::path& folder, const FolderProbe& seen,
                        const Scan& scan);
/// Adds a sentence to the details if the names of pictures without classes begin with a few words,
/// which may be the classes.
void notePrefixes(const std::vector<std::string>& names, FolderContent& content);
/// Adds a sentence to the details if each picture of a folder has others whose names differ from
/// its own by the same endings, such as `1.jpg` and `1_mask.png`. Whether it did.
bool noteTwins(const std::vector<std::string>& names, FolderContent& content);
/// Whether the files can only be masks, whatever they are called: of the first few, each is
/// lossless and has one channel, and together they have few values.
bool holdClassIndices(const std::vector<std::filesystem::path>& files);
/// Adds to the details what these masks hold, and sets what the proposal needs of it.
void describeMasks(const std::vector<std::filesystem::path>& files, FolderContent& content);
/// Why the folder's index of an MDS data set is of no use alone; empty: there is none.
std::string loneIndexNote(const std::filesystem::path& folder, const FolderProbe& seen);
/// A sentence and a space if there is an archive that has to be unpacked first; otherwise empty.
std::string archiveNote(const FolderProbe& seen);
/// Why the labels of the folder cannot be read, if they are files in a folder of annotations next
/// to the pictures (COCO, Pascal VOC, YOLO); empty: there is no such folder.
std::string annotationNote(const std::filesystem::path& folder, const FolderProbe& seen,
                           const Scan& scan);
/// A folder in `folder` that has files, but no pictures, as KITTI's `label_2` next to `image_2`:
/// the one whose name says that it holds labels, or the first; empty if there is none.
std::string folderOfOtherFiles(const std::filesystem::path& folder, const FolderProbe& seen,
                               const Scan& scan);
/// A sentence if each folder holds the files of one sample, in folders `images` and `masks`, as in
/// the Data Science Bowl; otherwise empty.
std::string sampleFoldersNote(const std::filesystem::path& folder, const FolderProbe& seen,
                              const Scan& scan);
/// So many data sets are listed at most.
inline constexpr std::size_t kMostBelow = 100;
/// The data sets in the files and folders of `seen`, which are in `folder`.
std::vector<DataBelow> dataBelow(const std::filesystem::path& folder, const FolderProbe& seen,
                                 const Scan& scan);
/// Writes the list and the description of data that is not readable as a whole.
void takeBelow(FolderContent& content, std::vector<DataBelow> found,
               const std::filesystem::path& folder);
/// The containers of a folder, and a sentence about other data next to them. If there are as many
/// other data sets as containers, it is open which is meant: then a list of all.
FolderContent withOtherData(FolderContent containers, const std::filesystem::path& folder,
                            const FolderProbe& seen, const Scan& scan);

}  // namespace millrace
