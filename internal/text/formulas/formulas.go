// Package formulas keeps spreadsheets from running categories as formulas. A spreadsheet runs cells that begin with
// certain characters, so a category of the original could act on the computers of recipients (OWASP, CSV injection). A
// leading apostrophe makes the spreadsheet show it as text.
package formulas

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dither-data/dither/table"
)

const guard = "'"

// runs reports whether a spreadsheet takes a text for a formula. A plain number, such as -1 for no answer, is none.
// Blanks, line ends and marks without a width before a sign do not keep it from being taken for one, nor does its wide
// form of East Asian writing.
func runs(label string) bool {
	if label == "" {
		return false
	}
	if label[0] == '\t' || label[0] == '\r' {
		return true
	}
	bare := strings.TrimLeftFunc(label, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
	})
	if first, _ := utf8.DecodeRuneInString(bare); !strings.ContainsRune("=+-@＝＋－＠", first) {
		return false
	}
	_, err := strconv.ParseFloat(strings.Replace(bare, ",", ".", 1), 64)
	return err != nil
}

// Headings returns the columns whose names a spreadsheet would run.
func Headings(t *table.Table) (columns []string) {
	for j := range t.Width() {
		if name := t.Attr(j).Name; runs(name) {
			columns = append(columns, name)
		}
	}
	return columns
}

// Find returns the columns that have categories which a spreadsheet would run, and how many records hold one.
func Find(t *table.Table) (columns []string, records int) {
	hit := make([]bool, t.Rows())
	for j := range t.Width() {
		c := t.Column(j)
		if c.Kind != table.Categorical || !slices.ContainsFunc(c.Labels, runs) {
			continue
		}
		run := make([]bool, len(c.Labels))
		for k, l := range c.Labels {
			run[k] = runs(l)
		}
		held := false
		for i, code := range c.Cat {
			if code >= 0 && run[code] {
				if held = true; !hit[i] {
					hit[i] = true
					records++
				}
			}
		}
		if held {
			columns = append(columns, c.Name)
		}
	}
	return columns, records
}

// Guard puts an apostrophe before the categories and the headings that a spreadsheet would run.
func Guard(t *table.Table) (*table.Table, error) {
	t, err := renamed(t, func(name string) string {
		if runs(name) && t.Find(guard+name) < 0 {
			return guard + name
		}
		return name
	})
	if err != nil {
		return nil, err
	}
	return relabelled(t, func(c *table.Column) func(string) string {
		own := setOf(c.Labels)
		return func(label string) string {
			if runs(label) && !own[guard+label] {
				return guard + label
			}
			return label
		}
	})
}

// Unguard takes the apostrophes off again, of categories and headings that the original has without one.
func Unguard(t, original *table.Table) (*table.Table, error) {
	t, err := renamed(t, func(name string) string {
		if plain, cut := strings.CutPrefix(name, guard); cut && runs(plain) && original.Find(plain) >= 0 &&
			original.Find(name) < 0 && t.Find(plain) < 0 {
			return plain
		}
		return name
	})
	if err != nil {
		return nil, err
	}
	return relabelled(t, func(c *table.Column) func(string) string {
		at := original.Find(c.Name)
		if at < 0 {
			return nil
		}
		own, known := setOf(c.Labels), setOf(original.Attr(at).Labels)
		return func(label string) string {
			if plain, cut := strings.CutPrefix(label, guard); cut && runs(plain) && known[plain] && !known[label] &&
				!own[plain] {
				return plain
			}
			return label
		}
	})
}

// renamed returns a table with other names of its columns.
func renamed(t *table.Table, way func(name string) string) (*table.Table, error) {
	cols, changed := t.Columns(), false
	for j := range cols {
		if name := way(cols[j].Name); name != cols[j].Name {
			cols[j].Name, changed = name, true
		}
	}
	if !changed {
		return t, nil
	}
	return t.WithColumns(cols)
}

func setOf(labels []string) map[string]bool {
	set := make(map[string]bool, len(labels))
	for _, l := range labels {
		set[l] = true
	}
	return set
}

// relabelled returns a table with other labels in those categorical columns that there is a way for.
func relabelled(t *table.Table, way func(c *table.Column) func(label string) string) (*table.Table, error) {
	cols, changed := t.Columns(), false
	for j := range cols {
		c := &cols[j]
		if c.Kind != table.Categorical ||
			!slices.ContainsFunc(c.Labels, func(l string) bool { return runs(strings.TrimPrefix(l, guard)) }) {
			continue
		}
		if other := way(c); other != nil {
			labels := make([]string, len(c.Labels))
			for k, l := range c.Labels {
				labels[k] = other(l)
			}
			c.Labels, changed = labels, true
		}
	}
	if !changed {
		return t, nil
	}
	return t.WithColumns(cols)
}
