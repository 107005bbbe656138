package adopt

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
)

// sdvTable is a table in the metadata of SDV, of version 1 or of single tables.
type sdvTable struct {
	Columns       map[string]sdvColumn `json:"columns"`
	PrimaryKey    any                  `json:"primary_key"`
	AlternateKeys []any                `json:"alternate_keys"`
	SequenceKey   any                  `json:"sequence_key"`
	SequenceIndex string               `json:"sequence_index"`
	Relationships []json.RawMessage    `json:"column_relationships"`
}

type sdvColumn struct {
	Type    string `json:"sdtype"`
	Format  string `json:"datetime_format"`
	Regex   string `json:"regex_format"`
	Numbers string `json:"computer_representation"`
	PII     *bool  `json:"pii"`
	Order   []any  `json:"order"`
}

// readSDV reads the metadata of SDV.
func readSDV(data []byte, opt Options) (*Found, error) {
	var file struct {
		sdvTable
		Tables        map[string]sdvTable `json:"tables"`
		Relationships []json.RawMessage   `json:"relationships"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, errors.New("no sound metadata of SDV")
	}
	t := file.sdvTable
	if file.Tables != nil {
		names := slices.Sorted(maps.Keys(file.Tables))
		k, err := one(names, opt.Table)
		if err != nil {
			return nil, err
		}
		t = file.Tables[names[k]]
	}
	if len(t.Columns) == 0 {
		return nil, errors.New("it describes no column, as metadata of SDV do (columns)")
	}
	f := &Found{From: "metadata of SDV"}
	for _, name := range slices.Sorted(maps.Keys(t.Columns)) {
		f.sdvColumn(name, t.Columns[name])
	}
	for _, key := range append(t.AlternateKeys, t.PrimaryKey) {
		for _, name := range names(key) {
			f.column(name).role("identifier")
		}
	}
	for _, name := range names(t.SequenceKey) {
		f.column(name).Role = []string{"person"}
	}
	if t.SequenceIndex != "" {
		f.left("column %q: that it orders the records of a sequence", t.SequenceIndex)
	}
	if len(file.Relationships) > 0 {
		f.left("relationships with other tables")
	}
	if len(t.Relationships) > 0 {
		f.left("relationships of columns")
	}
	return f, nil
}

// names are one name or several, as JSON has them.
func names(v any) (out []string) {
	switch v := v.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, one := range v {
			out = append(out, names(one)...)
		}
	}
	return out
}

func (f *Found) sdvColumn(name string, s sdvColumn) {
	c := f.column(name)
	switch s.Type {
	case "numerical":
		c.Kind = "numeric"
		if strings.Contains(s.Numbers, "Int") {
			c.Step = 1
		}
	case "boolean", "categorical":
		c.Kind = "categorical"
		if len(s.Order) > 0 && len(names(s.Order)) == len(s.Order) {
			c.Kind, c.Values = "ordered", texts(names(s.Order)...)
		}
	case "datetime":
		f.strftime(c, s.Format)
	case "id":
		c.role("identifier")
	case "unknown", "":
		f.left("column %q: the type unknown", name)
	default: // such as email, which is about a person unless something else is said
		if s.PII == nil || *s.PII {
			c.role("identifier")
		} else {
			f.left("column %q: the type %q", name, s.Type)
		}
	}
	if s.Regex != "" {
		f.left("column %q: the pattern of its values", name)
	}
}

// strftime translates a format of Python.
func (f *Found) strftime(c *Column, format string) {
	if format == "" {
		return
	}
	n := strings.NewReplacer("%Y", "yyyy", "%m", "mm", "%d", "dd", "%H", "hh", "%M", "mm", "%S", "ss", "%I", "hh", "%p",
		"AM", "%f", "ffffff", "%-d", "d", "%-m", "m", "%T", "hh:mm:ss", "%F", "yyyy-mm-dd").Replace(format)
	f.dates(c, n, format)
}
