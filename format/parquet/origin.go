package parquet

import (
	"encoding/base64"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/dither-data/dither/format/arrow"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/table"
)

// arrowKey is the key under which Arrow keeps the schema of the table that a file was made of, in base64.
const arrowKey = "ARROW:schema"

// origin notes what libraries of tables said in a file of the table that it was made of.
func (f *source) origin(info *dialect.Info) {
	for _, pair := range f.meta.KeyValueMetadata {
		switch pair.Key {
		case dialect.PandasKey:
			info.Pandas = pair.Value
		case arrowKey:
			if message, err := base64.StdEncoding.DecodeString(pair.Value); err == nil {
				info.ArrowTypes = arrow.SchemaTypes(message)
			}
		}
	}
}

// originOf returns what a file with a table says of that as far as it still holds. Written are the types of the
// columns in the file: one of another type than it came in has lost what was said of it.
func originOf(t *table.Table, opt *dialect.Options, written []string) (out []parquet.WriterOption) {
	kept := func(name string) bool { return opt.Types[name] == written[t.Find(name)] }
	said := dialect.PandasOf(opt.Pandas, t, kept)
	if said != "" {
		out = append(out, parquet.KeyValueMetadata(dialect.PandasKey, said))
	}
	if opt.ArrowTypes == nil {
		return out
	}
	types := map[string]string{}
	for j, name := range written {
		c := t.Attr(j).Name
		// a dictionary of Parquet has its entries in the order in which they occur, which is no scale
		if types[c] = strings.Replace(opt.ArrowTypes[c], ",ordered>", ">", 1); types[c] == "" || !kept(c) {
			types[c] = inArrow(name)
		}
	}
	if schema := arrow.Schema(t, types, said); schema != nil {
		out = append(out, parquet.KeyValueMetadata(arrowKey, base64.StdEncoding.EncodeToString(schema)))
	}
	return out
}

// inArrow names the type that a reader gives a column of a type in Arrow.
func inArrow(name string) string {
	t, _ := parseType(name)
	switch t.kind {
	case "float":
		return "float32"
	case "double":
		return "float64"
	case "boolean":
		return "bool"
	case "string":
		return "utf8"
	case "date":
		return "date32"
	case "decimal":
		return strings.Replace(name, "decimal", "decimal128", 1)
	case "timestamp":
		return strings.Replace(name, ",utc", ",UTC", 1)
	case "time":
		if t.unit == "ms" {
			return "time32[ms]"
		}
		return "time64[" + t.unit + "]"
	}
	return name // of what Arrow has by the same name, or not at all
}
