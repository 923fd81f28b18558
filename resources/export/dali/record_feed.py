# SPDX-FileCopyrightText: 2026 The Millrace developers
# SPDX-License-Identifier: Apache-2.0
# needs: order_feed records
import numpy as np
from nvidia.dali import fn, types


class Feed(OrderFeed):
    """Gives the pipeline the samples of a reader; pictures are HWC."""

    def columns(self, numbers):
        samples = [self.source[i] for i in numbers]
        return [
            [fed(sample[name], field) for sample in samples]
            for name, field in self.source.fields.items()
        ]

    def read(self):
        """The values by field."""
        fields = self.source.fields.values()
        columns = fn.external_source(
            source=self,
            num_outputs=len(fields),
            batch=True,
            batch_info=True,
            dtype=[DALI_TYPES[field.dtype or "uint8"] for field in fields],
            ndim=[len(field.shape) for field in fields],
            layout=["HWC" if field.layout else "" for field in fields],
        )
        return dict(zip(self.source.fields, columns))


DALI_TYPES = {
    "uint8": types.UINT8,
    "int8": types.INT8,
    "uint16": types.UINT16,
    "int16": types.INT16,
    "int32": types.INT32,
    "int64": types.INT64,
    "float16": types.FLOAT16,
    "float32": types.FLOAT,
    "float64": types.FLOAT64,
}


def fed(value, field):
    if isinstance(value, bytes):
        return np.frombuffer(value, np.uint8)
    return np.transpose(value, (1, 2, 0)) if field.layout == "chw" else value
