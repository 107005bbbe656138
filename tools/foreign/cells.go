package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format"
	_ "github.com/dither-data/dither/format/all" // all formats
	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/table"
)

// read is what dither reads of a file.
func read(path string) *content {
	t, info, err := format.Read(context.Background(), path, format.Options{Missing: []string{}})
	if err != nil {
		return &content{Error: err.Error()}
	}
	out := &content{Left: info.LeftOut}
	for j := range t.Width() {
		c := t.Column(j)
		if c.Kind == table.SetValued {
			out.Left = append(out.Left, c.Name)
			continue
		}
		cells := make([]*string, t.Rows())
		for i := range cells {
			if !c.MissingAt(i) {
				text := cell(&c, i)
				cells[i] = &text
			}
		}
		out.Names, out.Cells = append(out.Names, c.Name), append(out.Cells, cells)
	}
	return out
}

// cell is the text of a value; of a day, in whatever notation of the file, that of ISO 8601.
func cell(c *table.Column, i int) string {
	switch {
	case c.Dates != "" && c.Dates.PerDay() == 1:
		day := table.DateColumn(c.Name, calendar.ISO, c.Num[i:i+1])
		return string(day.AppendValue(nil, c.Num[i]))
	case c.Dates != "":
		return string(c.AppendValue(nil, c.Num[i]))
	case c.Kind == table.Numeric:
		return strconv.FormatFloat(c.Num[i], 'g', -1, 64)
	}
	return c.Labels[c.Cat[i]]
}

// compare says where two programs differ first; "" for nowhere.
func compare(ours, theirs *content) string {
	for j, name := range theirs.Names {
		if slices.Contains(ours.Left, name) || slices.Contains(theirs.Left, name) {
			continue
		}
		k := slices.Index(ours.Names, name)
		if k < 0 {
			return fmt.Sprintf("column %q is not read", name)
		}
		a, b := ours.Cells[k], theirs.Cells[j]
		if len(a) != len(b) {
			return fmt.Sprintf("%d records, others read %d", len(a), len(b))
		}
		for i := range a {
			var label *string // of a code
			if theirs.Labels != nil && theirs.Labels[j] != nil {
				label = theirs.Labels[j][i]
			}
			if !same(a[i], b[i]) && (label == nil || !same(a[i], label)) {
				return fmt.Sprintf("column %q, record %d: %s, others read %s", name, i+1, shown(a[i]), shown(b[i]))
			}
		}
	}
	return ""
}

// same reports whether two cells are equal.
func same(a, b *string) bool {
	if a == nil || b == nil {
		return a == b || a == nil && *b == "" // an empty text is missing
	}
	if *a == *b || instantOf(*a) == instantOf(*b) {
		return true
	}
	x, err := strconv.ParseFloat(*a, 64)
	y, err2 := strconv.ParseFloat(*b, 64)
	return err == nil && err2 == nil && (x == y || math.Abs(x-y) <= 1e-15*math.Abs(x+y) || short(x, y))
}

// short reports whether a number is the shortest that stands for another of 32 or 16 bits.
func short(x, y float64) bool {
	return float64(float32(y)) == y && float32(x) == float32(y) || decimal.Half(decimal.ToHalf(y)) == x
}

// instantOf writes days and times one way: a T between them, no zeros at the end of a fraction, no midnight and no
// zone.
func instantOf(text string) string {
	text = strings.TrimSuffix(strings.TrimSuffix(text, "Z"), "+00")
	if len(text) > 10 && text[4] == '-' && text[10] == ' ' {
		text = text[:10] + "T" + text[11:]
	}
	if strings.Contains(text, ":") && strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	for _, midnight := range []string{"T00:00:00", "T00:00"} {
		text = strings.TrimSuffix(text, midnight)
	}
	return text
}

// shown is a cell in a message.
func shown(cell *string) string {
	if cell == nil {
		return "nothing"
	}
	text := *cell
	return strconv.Quote(text[:min(len(text), 60)])
}
