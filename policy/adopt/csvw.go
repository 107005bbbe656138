package adopt

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/dither-data/dither/policy"
)

// Parts of the metadata of CSV on the Web (W3C, Metadata Vocabulary for Tabular Data, 2015). Any of them may be given
// to what is inside, too.
type csvwInherited struct {
	Null     any             `json:"null"`
	Datatype json.RawMessage `json:"datatype"`
}

type csvwTable struct {
	csvwInherited
	URL     string `json:"url"`
	Dialect struct {
		Delimiter string `json:"delimiter"`
		Encoding  string `json:"encoding"`
		Header    *bool  `json:"header"`
	} `json:"dialect"`
	Schema struct {
		csvwInherited
		Columns     []csvwColumn      `json:"columns"`
		PrimaryKey  any               `json:"primaryKey"`
		ForeignKeys []json.RawMessage `json:"foreignKeys"`
	} `json:"tableSchema"`
}

type csvwColumn struct {
	csvwInherited
	Name     string `json:"name"`
	Titles   any    `json:"titles"`
	Virtual  bool   `json:"virtual"`
	Suppress bool   `json:"suppressOutput"`
	List     any    `json:"separator"`
	Default  any    `json:"default"`
}

type csvwType struct {
	Base         string `json:"base"`
	Format       any    `json:"format"`
	Minimum      any    `json:"minimum"`
	Maximum      any    `json:"maximum"`
	MinInclusive any    `json:"minInclusive"`
	MaxInclusive any    `json:"maxInclusive"`
	MinExclusive any    `json:"minExclusive"`
	MaxExclusive any    `json:"maxExclusive"`
}

// readCSVW reads the metadata of CSV on the Web.
func readCSVW(data []byte, opt Options) (*Found, error) {
	var file struct {
		csvwTable
		Tables []csvwTable `json:"tables"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, errors.New("no sound metadata of CSV on the Web")
	}
	t := file.csvwTable
	if len(file.Tables) > 0 {
		var urls []string
		for _, t := range file.Tables {
			urls = append(urls, t.URL)
		}
		k, err := one(urls, opt.Table)
		if err != nil {
			return nil, err
		}
		t = file.Tables[k]
	}
	if len(t.Schema.Columns) == 0 {
		return nil, errors.New("it describes no column, as metadata of CSV on the Web do (tableSchema)")
	}
	f := &Found{From: "metadata of CSV on the Web"}
	f.delimit(t.Dialect.Delimiter)
	if e := t.Dialect.Encoding; e != "" && !strings.EqualFold(e, "utf-8") {
		f.File.Encoding = e
	}
	if t.Dialect.Header != nil && !*t.Dialect.Header {
		f.left("that the file has no names of columns: put them into its first line")
	}
	called := map[string]string{}
	for _, c := range t.Schema.Columns {
		name := title(c.Titles)
		if name == "" {
			name = c.Name
		}
		if called[c.Name] = name; name == "" || c.Virtual {
			f.left("a column that the file does not hold, or that has no name")
			continue
		}
		f.csvwColumn(f.column(name), c, file.csvwInherited, t.csvwInherited, t.Schema.csvwInherited)
	}
	for _, key := range names(t.Schema.PrimaryKey) {
		if name := called[key]; name != "" {
			f.column(name).role("identifier")
		}
	}
	if len(t.Schema.ForeignKeys) > 0 {
		f.left("keys of other tables")
	}
	return f, nil
}

// title is the first title of a column, in whatever language.
func title(v any) string {
	if m, ok := v.(map[string]any); ok {
		if own, ok := m["und"]; ok || len(m) != 1 {
			return title(own)
		}
		for _, own := range m {
			return title(own)
		}
	}
	if list := names(v); len(list) > 0 {
		return list[0]
	}
	return ""
}

// csvwColumn takes what is said of a column, and what of it is said further out, the nearest last.
func (f *Found) csvwColumn(c *Column, from csvwColumn, outer ...csvwInherited) {
	own := from.csvwInherited
	for k := len(outer) - 1; k >= 0; k-- {
		if own.Null == nil {
			own.Null = outer[k].Null
		}
		if own.Datatype == nil {
			own.Datatype = outer[k].Datatype
		}
	}
	c.Missing = texts(names(own.Null)...)
	if from.Suppress {
		f.left("column %q: that it is not put out", c.Name)
	}
	if from.List != nil {
		f.left("column %q: that its cells hold several values each", c.Name)
	}
	if from.Default != nil {
		f.left("column %q: what an empty cell stands for", c.Name)
	}
	var t csvwType
	if own.Datatype == nil {
		return
	}
	if json.Unmarshal(own.Datatype, &t.Base) != nil && json.Unmarshal(own.Datatype, &t) != nil {
		f.left("column %q: its type, which is not sound", c.Name)
		return
	}
	f.csvwKind(c, &t)
	if c.Kind != "categorical" {
		f.csvwDomain(c, &t)
	}
}

// csvwWholes are the types of whole numbers.
var csvwWholes = []string{"integer", "long", "int", "short", "byte", "nonNegativeInteger", "positiveInteger",
	"unsignedLong", "unsignedInt", "unsignedShort", "unsignedByte", "nonPositiveInteger", "negativeInteger"}

// csvwKind takes what a type makes of a column.
func (f *Found) csvwKind(c *Column, t *csvwType) {
	format, _ := t.Format.(string)
	switch t.Base {
	case "number", "decimal", "double", "float":
		c.Kind = "numeric"
	case "date", "datetime", "dateTime", "dateTimeStamp":
		if format == "" {
			break // as ISO 8601 has it, in whatever length
		}
		f.dates(c, strings.ToLower(strings.NewReplacer("'T'", "T", "HH", "hh", "S", "f").Replace(format)), format)
	case "string", "normalizedString", "token", "boolean", "":
		c.Kind = "categorical"
	default:
		if !slices.Contains(csvwWholes, t.Base) {
			f.left("column %q: the type %q", c.Name, t.Base)
			break
		}
		c.Kind, c.Step = "numeric", 1
	}
	if t.Format != nil && c.Dates == "" && !strings.HasPrefix(t.Base, "date") {
		f.left("column %q: the format of its values", c.Name)
	}
}

// csvwDomain takes the domain of a type.
func (f *Found) csvwDomain(c *Column, t *csvwType) {
	if t.MinExclusive != nil || t.MaxExclusive != nil {
		f.left("column %q: an end of its domain that is not one of its values", c.Name)
	}
	lo, hi := bound(t.Minimum, t.MinInclusive), bound(t.Maximum, t.MaxInclusive)
	if lo != "" && hi != "" {
		c.Domain = []policy.Text{policy.Text(lo), policy.Text(hi)}
	} else if lo != "" || hi != "" {
		f.left("column %q: its smallest or largest value, for the other one is not said", c.Name)
	}
}

// bound is the end of a domain as it is written.
func bound(list ...any) string {
	for _, v := range list {
		switch v := v.(type) {
		case string:
			return v
		case float64:
			if b, err := json.Marshal(v); err == nil {
				return string(b)
			}
		}
	}
	return ""
}
