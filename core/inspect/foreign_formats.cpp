// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Formats that hold data and are not read, with what to do about them. A new one is a line.
#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/inspect/scan.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

struct Foreign {
  std::string_view ending;  ///< of a name in lower case
  std::string_view title;
  std::string_view remedy;
};

constexpr std::string_view kFrames =
    "write its frames as pictures, for example with `ffmpeg -i FILE frames/%06d.jpg`";
constexpr std::string_view kArrays = "save its arrays with `numpy.save` or `numpy.savez`";
constexpr std::string_view kSlices =
    "save the numbers as .npy, or as TIFF files with 16 bits or floats";
constexpr std::string_view kPictures = "convert it to PNG, TIFF or JPEG";
constexpr std::string_view kSpectrograms = "save the spectrograms as .npy or as pictures";
constexpr std::string_view kUnpacked = "unpack it first";
constexpr std::string_view kTable = "write it as Parquet, or as a table (CSV) that lists pictures";

constexpr std::array kForeign = {
    Foreign{".dcm", "DICOM", kSlices},
    Foreign{".dicom", "DICOM", kSlices},
    Foreign{".nii", "NIfTI", kSlices},
    Foreign{".nii.gz", "NIfTI", kSlices},
    Foreign{".mha", "MetaImage", kSlices},
    Foreign{".mhd", "MetaImage", kSlices},
    Foreign{".nrrd", "NRRD", kSlices},
    Foreign{".fits", "FITS", kSlices},
    Foreign{".svs", "a whole-slide picture", kPictures},
    Foreign{".ndpi", "a whole-slide picture", kPictures},
    Foreign{".mrxs", "a whole-slide picture", kPictures},
    Foreign{".exr", "OpenEXR", kPictures},
    Foreign{".hdr", "Radiance HDR", kPictures},
    Foreign{".cr2", "a camera's raw picture", kPictures},
    Foreign{".cr3", "a camera's raw picture", kPictures},
    Foreign{".nef", "a camera's raw picture", kPictures},
    Foreign{".arw", "a camera's raw picture", kPictures},
    Foreign{".dng", "a camera's raw picture", kPictures},
    Foreign{".psd", "Photoshop", kPictures},
    Foreign{".svg", "SVG", kPictures},
    Foreign{".pdf", "PDF", kPictures},
    Foreign{".pgm", "PGM", kPictures},
    Foreign{".ppm", "PPM", kPictures},
    Foreign{".tga", "TGA", kPictures},
    Foreign{".mp4", "a film", kFrames},
    Foreign{".avi", "a film", kFrames},
    Foreign{".mov", "a film", kFrames},
    Foreign{".mkv", "a film", kFrames},
    Foreign{".webm", "a film", kFrames},
    Foreign{".mpg", "a film", kFrames},
    Foreign{".wav", "sound", kSpectrograms},
    Foreign{".flac", "sound", kSpectrograms},
    Foreign{".mp3", "sound", kSpectrograms},
    Foreign{".ogg", "sound", kSpectrograms},
    Foreign{".csv.gz", "a compressed table", kUnpacked},
    Foreign{".tsv.gz", "a compressed table", kUnpacked},
    Foreign{".zip", "an archive", kUnpacked},
    Foreign{".7z", "an archive", kUnpacked},
    Foreign{".rar", "an archive", kUnpacked},
    Foreign{".xlsx", "a spreadsheet", kTable},
    Foreign{".xls", "a spreadsheet", kTable},
    Foreign{".jsonl", "JSON", kTable},
    Foreign{".pfm", "PFM", kSlices},
    Foreign{"-ubyte", "MNIST's IDX", kArrays},
    Foreign{"-ubyte.gz", "MNIST's IDX", kArrays},
    Foreign{".mat", "MATLAB", "save its arrays with `numpy.save`, or with `-v7.3` as HDF5"},
    Foreign{".pkl", "Python's pickle", kArrays},
    Foreign{".pickle", "Python's pickle", kArrays},
    Foreign{".joblib", "joblib", kArrays},
    Foreign{".pt", "PyTorch", kArrays},
    Foreign{".pth", "PyTorch", kArrays},
    Foreign{".safetensors", "safetensors", kArrays},
    Foreign{".beton", "FFCV", "write the samples as WebDataset, TFRecord or class folders"},
    Foreign{".arrow", "Arrow", kTable},
    Foreign{".feather", "Arrow", kTable},
    Foreign{".avro", "Avro", kTable},
    Foreign{".orc", "ORC", kTable},
    Foreign{".sqlite", "SQLite", kTable},
    Foreign{".db", "a database", kTable},
};

bool hasAt(const fs::path& file, std::streamoff at, std::string_view magic) {
  std::ifstream stream(file, std::ios::binary);
  stream.seekg(at);
  std::array<char, 16> bytes{};
  stream.read(bytes.data(), static_cast<std::streamsize>(magic.size()));
  return stream && std::string_view(bytes.data(), magic.size()) == magic;
}

/// The format of a file by its name, or by its first bytes if the name has no ending.
const Foreign* foreignOf(const fs::path& file) {
  const std::string name = lowerCase(file.filename().native());
  const auto found = std::ranges::find_if(
      kForeign, [&](const Foreign& one) { return name.ends_with(one.ending); });
  static constexpr Foreign kMatHdf5{".mat", "a MATLAB file of version 7.3",
                                    "it is HDF5, so a name that ends with `.h5` is enough"};
  constexpr std::streamoff kUserBlock = 512;
  if (found != kForeign.end())
    return found->ending == kMatHdf5.ending && hasAt(file, kUserBlock, "\x89HDF") ? &kMatHdf5
                                                                                  : &*found;
  if (name.find('.') != std::string::npos) return nullptr;
  static constexpr Foreign kDicom{"", "DICOM", kSlices};
  static constexpr Foreign kPickle{"", "Python's pickle", kArrays};
  constexpr std::streamoff kDicomMark = 128;
  if (hasAt(file, kDicomMark, "DICM")) return &kDicom;
  for (const std::string_view magic : {"\x80\x02", "\x80\x03", "\x80\x04", "\x80\x05"})
    if (hasAt(file, 0, magic)) return &kPickle;
  return nullptr;
}

}  // namespace

std::string foreignNote(const fs::path& file) {
  const Foreign* foreign = foreignOf(file);
  if (foreign == nullptr) return {};
  return fmt::format("`{}` is {}, which is not read: {}. ", visibleName(file.filename().native()),
                     foreign->title, foreign->remedy);
}

std::string foreignNote(const fs::path& folder, const FolderProbe& seen, const Scan& scan) {
  constexpr std::size_t kFiles = 16;
  constexpr std::size_t kFolders = 8;
  const auto among = [&](const fs::path& where, const std::vector<std::string>& files) {
    for (std::size_t i = 0; i < std::min(kFiles, files.size()); ++i)
      if (std::string note = foreignNote(where / files[i]); !note.empty()) return note;
    return std::string();
  };
  if (std::string note = among(folder, seen.files); !note.empty()) return note;
  for (std::size_t i = 0; i < std::min(kFolders, seen.folders.size()); ++i)
    if (const auto inner = scan.probe(folder / seen.folders[i]))
      if (std::string note = among(folder / seen.folders[i], inner->files); !note.empty())
        return note;
  return {};
}

}  // namespace millrace
