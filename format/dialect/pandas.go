package dialect

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/dither-data/dither/table"
)

// PandasKey is the key under which pandas notes in a file of Arrow or Parquet what its frame was like
// (pandas.pydata.org, Storing pandas DataFrame objects in Apache Parquet format).
const PandasKey = "pandas"

// frame is what pandas notes of a frame; what else there may be, such as attributes, is confidential and not kept.
type frame struct {
	Index   []any         `json:"index_columns"`
	Names   []any         `json:"column_indexes"`
	Columns []frameColumn `json:"columns"`
	Version string        `json:"pandas_version,omitempty"`
}

type frameColumn struct {
	Name   *string        `json:"name"`
	Field  string         `json:"field_name"`
	Pandas string         `json:"pandas_type"`
	NumPy  string         `json:"numpy_type"`
	More   map[string]any `json:"metadata"`
}

// PandasOf returns what a file with a table may say of what pandas noted about the frame that it was made of: the types
// of the columns that the table still has in the type of the file they came from (kept), but for those which cannot
// hold that a value is missing where one is. The index is fresh, unless it is columns of the table. It is empty where
// nothing holds. How many categories there were, attributes and the start of an index tell of the original.
func PandasOf(noted string, t *table.Table, kept func(column string) bool) string {
	var f frame
	if noted == "" || json.Unmarshal([]byte(noted), &f) != nil {
		return ""
	}
	holds := func(name any) bool {
		s, is := name.(string)
		return is && t.Find(s) >= 0
	}
	if slices.ContainsFunc(f.Index, func(of any) bool { return !holds(of) }) {
		f.Index = []any{}
	}
	f.Names = []any{}
	f.Columns = slices.DeleteFunc(f.Columns, func(c frameColumn) bool {
		j := t.Find(c.Field)
		return j < 0 || !kept(c.Field) || whole(c.NumPy) && gaps(t.Column(j))
	})
	for k := range f.Columns {
		c := &f.Columns[k]
		maps.DeleteFunc(c.More, func(key string, _ any) bool { return key != "timezone" })
	}
	if len(f.Columns) == 0 && len(f.Index) == 0 {
		return ""
	}
	out, err := json.Marshal(f)
	if err != nil {
		return ""
	}
	return string(out)
}

func gaps(c table.Column) bool {
	for i := range c.Len() {
		if c.MissingAt(i) {
			return true
		}
	}
	return false
}

// whole reports whether a type of NumPy has no value that stands for a missing one.
func whole(numpy string) bool {
	return strings.HasPrefix(numpy, "int") || strings.HasPrefix(numpy, "uint") || numpy == "bool"
}
