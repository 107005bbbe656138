package adopt

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/dither-data/dither/policy"
)

// partBytes is how many bytes a part of a project may unpack to.
const partBytes = 64 << 20

// arxDefinition is what a project says of the columns. The name of an assignment is spelt so.
type arxDefinition struct {
	Columns []arxAssignment `xml:"assigment"`
}

type arxAssignment struct {
	Name   string `xml:"name"`
	Role   string `xml:"type"`
	Type   string `xml:"datatype"`
	Format string `xml:"format"`
	Tree   string `xml:"ref"`
	Min    string `xml:"min"`
	Max    string `xml:"max"`
	Centre string `xml:"microaggregationFunction"`
}

type arxConfig struct {
	Criteria []string `xml:"criteria>criterion"`
	Outliers string   `xml:"relativeMaxOutliers"`
}

// readARX reads a project of ARX.
func readARX(data []byte) (*Found, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, errors.New("no project of ARX, or one that was cut short")
	}
	p := arxProject{}
	for _, f := range z.File {
		p[f.Name] = f
	}
	var d arxDefinition
	var c arxConfig
	var project struct {
		Separator string `xml:"separator"`
	}
	for _, part := range []struct {
		name string
		into any
	}{{"input/definition.xml", &d}, {"input/config.xml", &c}, {"project.xml", &project}} {
		text, err := unpack(p[part.name])
		if err == nil && text != nil {
			err = xml.Unmarshal(text, part.into)
		}
		if err != nil {
			return nil, fmt.Errorf("no sound project of ARX: %s cannot be read", part.name)
		}
	}
	if len(d.Columns) == 0 {
		return nil, errors.New("no project of ARX that describes a column (input/definition.xml)")
	}
	f := &Found{From: "a project of ARX"}
	f.delimit(project.Separator)
	types := map[string]string{}
	for _, a := range d.Columns {
		types[a.Name] = a.Type
		f.arxAssignment(a, p)
	}
	for _, criterion := range c.Criteria {
		f.criterion(strings.TrimSpace(criterion), types)
	}
	if c.Outliers != "" && c.Outliers != "0.0" && c.Outliers != "0" {
		f.left("how many records may be suppressed")
	}
	return f, nil
}

// arxProject is the parts of a project by name.
type arxProject map[string]*zip.File

// arxAssignment takes what a project says of a column, and its hierarchy.
func (f *Found) arxAssignment(a arxAssignment, p arxProject) {
	c := f.column(a.Name)
	f.arxColumn(c, a.Role, a.Type, a.Format)
	if a.Tree != "" {
		text, err := unpack(p["input/"+a.Tree])
		if err != nil || text == nil {
			f.left("column %q: its hierarchy, which is not in the project", a.Name)
		} else {
			f.tree(c, text)
		}
	}
	if a.Min != "" && a.Min != "All" || a.Max != "" && a.Max != "All" {
		f.left("column %q: between which levels it is generalised", a.Name)
	}
	if a.Centre != "" {
		f.left("column %q: the microaggregation function %q; the techniques mdav and uma do the like", a.Name, a.Centre)
	}
}

// delimit takes the sign between cells, if it is one.
func (f *Found) delimit(by string) {
	if by == "\t" {
		f.File.Delimiter = "tab"
	} else if len([]rune(by)) == 1 {
		f.File.Delimiter = by
	}
}

// unpack returns a part of a project, nil where there is none.
func unpack(f *zip.File) ([]byte, error) {
	if f == nil {
		return nil, nil
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, partBytes+1))
	if err == nil && len(text) > partBytes {
		err = errors.New("it is too large")
	}
	return text, err
}

func (f *Found) arxColumn(c *Column, role, typ, format string) {
	switch role {
	case "IDENTIFYING_ATTRIBUTE":
		c.role("identifier")
	case "QUASI_IDENTIFYING_ATTRIBUTE":
		c.role("quasi-identifier")
	case "SENSITIVE_ATTRIBUTE":
		c.role("confidential")
	case "INSENSITIVE_ATTRIBUTE":
		c.role("other")
	default:
		f.left("column %q: the role %q", c.Name, role)
	}
	switch {
	case strings.HasPrefix(typ, "Integer"):
		c.Kind, c.Step = "numeric", 1
	case strings.HasPrefix(typ, "Decimal"):
		c.Kind = "numeric"
	case strings.HasPrefix(typ, "Date"):
		if format != "" {
			f.dates(c, strings.ToLower(strings.NewReplacer("'T'", "T", "S", "f").Replace(format)), format)
		}
	case strings.HasPrefix(typ, "Ord"):
		c.Kind = "categorical"
		f.left("column %q: the order of its values", c.Name)
	}
}

var (
	kAnonymity = regexp.MustCompile(`^(\d+)-anonymity$`)
	lDiversity = regexp.MustCompile(`^distinct-(\d+(?:\.0)?)-diversity for attribute '(.*)'$`)
	tCloseness = regexp.MustCompile(`^([0-9.]+)-closeness with (equal|ordered) .*distance for attribute '(.*)'$`)
)

// criterion takes a model of privacy over where there is a measure that means the same.
func (f *Found) criterion(text string, types map[string]string) {
	if m := kAnonymity.FindStringSubmatch(text); m != nil {
		f.threshold("kanonymity", m[1], true)
		return
	}
	if m := lDiversity.FindStringSubmatch(text); m != nil {
		f.threshold("ldiversity", m[1], true)
		return
	}
	if m := tCloseness.FindStringSubmatch(text); m != nil {
		typ := types[m[3]]
		number := strings.HasPrefix(typ, "Integer") || strings.HasPrefix(typ, "Decimal") || strings.HasPrefix(typ, "Date")
		if number == (m[2] == "ordered") {
			f.threshold("tcloseness", m[1], false)
			return
		}
	}
	f.left("the model %s", text)
}

// threshold bounds a measure; of several bounds the strictest holds.
func (f *Found) threshold(measure, bound string, least bool) {
	v, err := strconv.ParseFloat(bound, 64)
	if err != nil {
		f.left("the model %s %s", measure, bound)
		return
	}
	for k := range f.Thresholds {
		if t := &f.Thresholds[k]; t.Measure == measure {
			if least {
				v = max(v, *t.Min)
				t.Min = &v
			} else {
				v = min(v, *t.Max)
				t.Max = &v
			}
			return
		}
	}
	t := policy.Threshold{Measure: measure}
	if t.Max = &v; least {
		t.Min, t.Max = &v, nil
	}
	f.Thresholds = append(f.Thresholds, t)
}
