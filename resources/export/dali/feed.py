# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: order_feed
import numpy as np
from nvidia.dali import fn, types


class Feed(OrderFeed):
    """Gives the pipeline the paths and classes of its samples."""

    def columns(self, numbers):
        columns = [
            [np.frombuffer(paths[i], np.uint8) for i in numbers]
            for paths in self.source.files.values()
        ]
        if self.source.labels is not None:
            columns.append([np.int64(self.source.labels[i]) for i in numbers])
        return columns

    def read(self):
        """The files' bytes by field, and the class."""
        fields = list(self.source.files)
        dtypes, ranks = [types.UINT8] * len(fields), [1] * len(fields)
        if self.source.labels is not None:
            fields.append("label")
            dtypes.append(types.INT64)
            ranks.append(0)
        columns = fn.external_source(
            source=self,
            num_outputs=len(fields),
            batch=True,
            batch_info=True,
            dtype=dtypes,
            ndim=ranks,
        )
        sample = dict(zip(fields, columns))
        for name, value in self.source.values.items():
            sample[name] = types.Constant(value)
        for name in self.source.files:
            sample[name] = fn.io.file.read(sample[name])
        return sample
