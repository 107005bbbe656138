package formattest

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/table"
)

// Fit returns the table without what a format changes or refuses by what it declares lost: with other names, texts and
// numbers where it loses theirs.
func Fit(f dialect.Format, t *table.Table) *table.Table {
	if f.Loses&(dialect.LosesNames|dialect.LosesBlanks|dialect.LosesRange) == 0 {
		return t
	}
	cols := t.Columns()
	for j := range cols {
		c := &cols[j]
		if f.Loses&dialect.LosesNames != 0 && strings.Trim(c.Name, "abcdefghijklmnopqrstuvwxyz") != "" {
			c.Name = fmt.Sprint("v", j+1)
		}
		for k, l := range c.Labels {
			if f.Loses&dialect.LosesBlanks != 0 && (strings.TrimRight(l, " \x00") != l || l == "") {
				c.Labels = slices.Clone(c.Labels)
				c.Labels[k] = strings.TrimRight(l, " \x00") + fmt.Sprint(".", k)
			}
		}
		if f.Loses&dialect.LosesRange == 0 || c.Kind != table.Numeric || c.Dates != "" {
			continue
		}
		num := slices.Clone(c.Num)
		for i, x := range num {
			if a := math.Abs(x); a > 7e75 || a != 0 && a < 1e-60 {
				num[i] = float64(i)
			}
		}
		*c = table.NumColumn(c.Name, c.Step, num)
	}
	out, err := t.WithColumns(cols)
	if err != nil {
		return t
	}
	return out
}

func (s *suite) fit(t *table.Table) *table.Table { return Fit(s.f, t) }
