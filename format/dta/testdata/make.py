# python3 make.py writes files of each release that pandas knows, one with the most significant byte first.
import numpy as np
import pandas as pd

d = pd.DataFrame({
    "small": np.array([1, -2, 100, 3], dtype="int8"),
    "middle": np.array([1, -2, 32000, 3], dtype="int16"),
    "large": np.array([1, -2, 2000000000, 3], dtype="int32"),
    "single": np.array([0.1, -2.5, np.nan, 3], dtype="float32"),
    "real": [0.1, 1e300, np.nan, -3],
    "name": ["Zoe", "", "a longer name", "x"],
    "grade": pd.Categorical(["low", "high", "low", None], categories=["low", "middle", "high"]),
    "day": pd.to_datetime(["2024-02-29", None, "1969-12-31", "2020-01-01"]),
})
for v in (114, 117, 118, 119):
    d.to_stata(f"pandas{v}.dta", version=v, write_index=False, convert_dates={"day": "td"},
               variable_labels={"small": "A small number"}, convert_strl=["name"] if v > 114 else None)
d.to_stata("pandasbig.dta", version=117, byteorder=">", write_index=False, convert_dates={"day": "tc"})
