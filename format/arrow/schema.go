package arrow

import (
	"encoding/binary"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/table"
)

// SchemaTypes returns the types of the columns that a message with a schema declares, by their names, as a file of
// Parquet holds one under the key ARROW:schema. Columns of types that are not read are left out, and so is everything
// where the message is not sound.
func SchemaTypes(message []byte) map[string]string {
	if len(message) < 8 || binary.LittleEndian.Uint32(message) != marker {
		return nil
	}
	m := root(message[8:])
	out := map[string]string{}
	for _, field := range m.table(2).tables(1) {
		t, err := typeOf(field)
		if err != nil {
			continue
		}
		if about := field.table(4); about.at > 0 {
			t.coded, t.ordered = true, about.byte(2) != 0
		}
		out[string(field.text(0))] = t.String()
	}
	if m.bad || m.byte(1) != headSchema {
		return nil
	}
	return out
}

// Schema returns a message that declares columns of these types, by their names, and what pandas noted of its frame;
// nil where one is no type that is written.
func Schema(t *table.Table, types map[string]string, pandas string) []byte {
	columns := make(list, t.Width())
	for j := range columns {
		name := t.Attr(j).Name
		of, ok := parseType(types[name])
		if number, _ := of.schema(); !ok || number == typeNull {
			return nil
		}
		columns[j] = of.field(name, j, typ{kind: "int", bits: 32})
	}
	meta := flatten(fields{int16(versionV5), byte(headSchema), schemaWith(columns, pandas), int64(0)})
	return append(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, marker), uint32(len(meta))),
		meta...)
}

// schemaWith is a schema with what pandas noted, where there is any of that.
func schemaWith(columns list, pandas string) fields {
	if pandas == "" {
		return fields{nil, columns}
	}
	return fields{nil, columns, list{fields{dialect.PandasKey, pandas}}}
}
