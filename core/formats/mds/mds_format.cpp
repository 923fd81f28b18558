// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/formats/mds/mds_data_set.h"
#include "core/formats/mds/mds_writer.h"

namespace millrace {

Format mdsFormat();
Format mdsFormat() {
  Format format;
  format.name = "mds";
  format.title = "MosaicML MDS";
  format.example = "*.mds";
  format.isFileName = &isMdsFileName;
  format.openWriter = &openMdsWriter;
  format.targets = {{".mds", false}};
  format.fieldsParam = "columns";
  return format;
}

}  // namespace millrace
