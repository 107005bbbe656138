package desk

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/internal/spelling"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/table"
)

// marks are the texts that mean missing in every column: the policy's or the default ones, and those of the source.
func (s *Source) marks(pol *policy.Policy) []string {
	marks := slices.Clone(format.DefaultMissing)
	if pol.File.Missing != nil {
		marks = texts(pol.File.Missing)
	}
	for _, m := range s.Missing {
		if !strings.Contains(m, "=") && !slices.Contains(marks, m) {
			marks = append(marks, m)
		}
	}
	return marks
}

func texts(list []policy.Text) (out []string) {
	for _, m := range list {
		out = append(out, string(m))
	}
	return out
}

// codes are the texts that mean missing in single columns: the policy's, and those of the source, which are written column=text.
func (s *Source) codes(pol *policy.Policy) map[string][]string {
	codes := map[string][]string{}
	for name, c := range pol.Columns {
		if c.Missing != nil {
			codes[name] = texts(c.Missing)
		}
	}
	for _, m := range s.Missing {
		if at := strings.LastIndexByte(m, '='); at > 0 { // the name of a column may hold one
			codes[m[:at]] = append(codes[m[:at]], m[at+1:])
		}
	}
	return codes
}

// blanked returns the table with the codes of its columns as missing values, and tells info how many they were. Texts of which only numbers are left
// become numbers, unless it is said what they are, and those of which only dates are left dates.
func blanked(t *table.Table, codes map[string][]string, want expected, info *format.Info) (*table.Table, error) {
	cols := t.Columns()
	for _, name := range slices.Sorted(maps.Keys(codes)) {
		j := t.Find(name)
		if j < 0 {
			return nil, &Usage{Field: "missing", Err: fmt.Errorf("the table has no column %q%s", name, spelling.Hint(name, names(t)))}
		}
		rows, point := coded(&cols[j], codes[name], info), byte('.')
		if info.DecimalComma {
			point = ','
		}
		if len(rows) > 0 {
			cols[j] = observed(cols[j].Blank(rows).Compact())
			if _, forced := want.kinds[name]; !forced && len(cols[j].Labels) > 0 {
				cols[j], _ = dialect.Numbers(cols[j], point, info)
			}
			if cols[j].Kind == table.Numeric { // so the reader's remark on it as text is no longer true
				about := fmt.Sprintf("column %q: ", name)
				info.Notes = slices.DeleteFunc(info.Notes, func(n string) bool {
					return strings.HasPrefix(n, about) && strings.Contains(n, "it is read as categories")
				})
			}
		}
		delete(info.MissingMarks, name)
		info.Notes = append(info.Notes, fmt.Sprintf("column %q: %s read as missing by its codes", name, numeral.Counted(len(rows), "value")))
	}
	t, err := table.New(cols...)
	if err != nil {
		return nil, err
	}
	opt := format.Options{Kinds: want.kinds, Dates: want.dates}
	return opt.ReadDates(t, info, func(j int) bool { return codes[t.Attr(j).Name] == nil })
}

// coded returns the records that hold one of the codes.
func coded(c *table.Column, codes []string, info *format.Info) (rows []int) {
	if c.Kind == table.Categorical {
		is := make([]bool, len(c.Labels))
		for k, l := range c.Labels {
			is[k] = slices.Contains(codes, l)
		}
		for i, v := range c.Cat {
			if v >= 0 && is[v] {
				rows = append(rows, i)
			}
		}
		return rows
	}
	var values []float64
	for _, s := range codes {
		if c.Dates != "" {
			if v, ok := c.ParseValue(s); ok {
				values = append(values, v)
			}
			continue
		}
		if info.DecimalComma {
			s = strings.Replace(s, ",", ".", 1)
		}
		if v, _, ok := decimal.Parse([]byte(s), '.'); ok {
			values = append(values, v)
		}
	}
	for i, v := range c.Num {
		if slices.Contains(values, v) {
			rows = append(rows, i)
		}
	}
	return rows
}

// observed returns a numeric column on the domain and the grid of the values that it has, and any other as it is: a code lies outside of both as a rule, and
// noise would be drawn on a domain that reaches up to it.
func observed(c table.Column) table.Column {
	if c.Kind != table.Numeric || c.Declared {
		return c
	}
	c.Domain.Lo, c.Domain.Hi = table.Range(c.Num)
	switch {
	case c.Dates != "":
		c.Step = c.Dates.Whole(c.Num)
	case c.Step > 0:
		c.Step = decimal.Grid(c.Num)
	}
	return c
}

// merged returns the table without variants of texts, and tells info how many values changed.
func merged(t *table.Table, info *format.Info) (*table.Table, error) {
	cols := t.Columns()
	for j := range cols {
		var n int
		if cols[j], n = profile.MergeVariants(cols[j]); n > 0 {
			info.Notes = append(info.Notes, fmt.Sprintf("column %q: %s written like the commonest of their variants", cols[j].Name, numeral.Counted(n, "value")))
		}
	}
	return table.New(cols...)
}
