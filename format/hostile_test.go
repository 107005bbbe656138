package format_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/format/layout"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/table"
)

// reader is a way in which sets stand in a text, by hand: a head, and what stands for a record with these items.
type reader struct {
	name, items string
	head        string
	line        func(record int, items []string) string
}

func between(mark string) func(int, []string) string {
	return func(_ int, items []string) string { return strings.Join(items, mark) + "\n" }
}

// readers are all that read sets from text. A basket in ARFF is of the items 0 to 9.
func readers() []reader {
	var wide, attributes []string
	for k := range 10 {
		wide, attributes = append(wide, fmt.Sprint("dx_", k)), append(attributes, fmt.Sprintf("@attribute %d {0,1}\n", k))
	}
	return []reader{
		{"a.dat", "", "", between(" ")},
		{"a.basket", "", "", between(",")},
		{"a.spmf", "", "@CONVERTED_FROM_TEXT\n", between(" ")},
		{
			"a.csv",
			"has:;",
			"n,has\n",
			func(n int, items []string) string { return fmt.Sprintf("%d,\"%s\"\n", n, strings.Join(items, ";")) },
		},
		{"a.csv", "n:has", "n,has\n", func(n int, items []string) string {
			var b strings.Builder
			for _, it := range append(items, "\"\"")[:max(1, len(items))] {
				fmt.Fprintf(&b, "%d,%s\n", n, it)
			}
			return b.String()
		}},
		{"a.csv", "wide:dx_", "n," + strings.Join(wide, ",") + "\n", func(n int, items []string) string {
			cells := strings.Split(fmt.Sprint(n)+strings.Repeat(",0", 10), ",")
			for _, it := range items {
				if k := slices.Index(wide, "dx_"+it); k >= 0 {
					cells[k+1] = "1"
				} else {
					cells = append(cells, it)
				}
			}
			return strings.Join(cells, ",") + "\n"
		}},
		{"a.arff", "wide:", "@relation r\n" + strings.Join(attributes, "") + "@data\n", func(_ int, items []string) string {
			return "{" + strings.Join(items, " 1,") + strings.Repeat(" 1", min(1, len(items))) + "}\n"
		}},
	}
}

// read returns the number of items in every record, -1 for a missing set.
func (r *reader) read(text string) (counts []int, err error) {
	var opt format.Options
	if r.items != "" {
		s, err := layout.Parse(r.items)
		if err != nil {
			return nil, err
		}
		opt.Items = []layout.Spec{s}
	}
	t, _, err := format.ReadFrom(ctx, r.name, strings.NewReader(text), opt)
	if err != nil {
		return nil, err
	}
	for j := range t.Width() {
		if t.Attr(j).Kind == table.SetValued {
			for i := range t.Rows() {
				counts = append(counts, len(t.Sets(j).Present.Row(i)))
			}
		}
	}
	return counts, nil
}

// Lines that nobody expects are read as what they say, or refused with their line; nothing panics.
func TestHostileSets(t *testing.T) {
	many := make([]string, long.Of(10_000, 1_000_000))
	for k := range many {
		many[k] = fmt.Sprint(k)
	}
	for _, c := range []struct {
		what   string
		lines  [][]string
		change func(text string) string
		want   []int             // items by record
		faults map[string]string // by reader, a part of the message that comes instead
	}{
		{"plain", [][]string{{"1", "3"}, {"2"}}, nil, []int{2, 1}, nil},
		{"many items", [][]string{{"1"}, many}, nil, []int{1, len(many)},
			map[string]string{"wide:dx_": "line 3: ", "wide:": "line 14, byte "}},
		{"an id of ten digits", [][]string{{"1"}, {"1000000000"}}, nil, []int{1, 1},
			map[string]string{"wide:dx_": "line 3: ", "wide:": "line 14, byte 2: "}},
		{"a negative id", [][]string{{"1"}, {"-3"}}, nil, []int{1, 1},
			map[string]string{"a.dat": "line 2, byte 1: ", "a.spmf": "line 3, byte 1: ", "wide:dx_": "line 3: ",
				"wide:": "line 14, byte 2: "}},
		{"a zero byte", [][]string{{"1"}, {"2\x00"}}, nil, nil, map[string]string{"": "line "}},
		{"no line end", [][]string{{"1", "3"}, {"2"}}, func(s string) string { return strings.TrimSuffix(s, "\n") },
			[]int{2, 1}, nil},
		{"CR LF", [][]string{{"1", "3"}, {"2"}}, func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
			[]int{2, 1}, nil},
		{"a byte order mark", [][]string{{"1", "3"}, {"2"}}, func(s string) string { return "\ufeff" + s }, []int{2, 1}, nil},
		{"an empty file", nil, func(string) string { return "" }, nil, map[string]string{"": "the file is empty"}},
		{"an item twice", [][]string{{"1", "3", "1"}, {"2", "2"}}, nil, []int{2, 1},
			map[string]string{"wide:": "line 13, byte 10: "}},
		{"nothing in a record", [][]string{{"1"}, {}, {"2"}, {}}, nil, []int{1, 0, 1, 0}, nil},
	} {
		for _, r := range readers() {
			text := r.head
			for n, items := range c.lines {
				text += r.line(n+1, items)
			}
			if c.change != nil {
				text = c.change(text)
			}
			got, err := r.read(text)
			fault := c.faults[""]
			for _, key := range slices.Sorted(maps.Keys(c.faults)) {
				if key == r.name || key == r.items && key != "" {
					fault = c.faults[key]
				}
			}
			switch {
			case fault != "" && (err == nil || !strings.HasPrefix(err.Error(), r.name+": ") ||
				!strings.Contains(err.Error(), fault) || strings.Contains(err.Error(), "\n")):
				t.Errorf("%s %s, %s: %v, expected %q", r.name, r.items, c.what, err, fault)
			case fault == "" && (err != nil || !slices.Equal(got, c.want)):
				t.Errorf("%s %s, %s: %v, %.60v, expected %v", r.name, r.items, c.what, err, got, c.want)
			}
		}
	}
}
