package study

import (
	"fmt"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestDatesByTheFileOfTheOriginal: numbers and texts that the file of the original calls dates are held against the
// limits on dates where a release has them, also one that was read from a file which says nothing of dates.
func TestDatesByTheFileOfTheOriginal(t *testing.T) {
	const rows = 60
	seconds, moved, codes := make([]float64, rows), make([]float64, rows), make([]int32, rows)
	for i := range seconds {
		seconds[i], moved[i], codes[i] = float64(1_900_000_000+i), float64(1_800_000_000-7*i), int32(i%3)
	}
	dated := func(c table.Column) table.Column {
		c.Dated = true
		return c
	}
	numbers := func(values []float64) table.Column { return table.NumColumn("seen", 1, values) }
	texts := func(labels ...string) table.Column { return table.CatColumn("seen", labels, codes) }
	was := []string{"1950-01-31", "unknown", "about 1950"}
	for name, c := range map[string]struct {
		original, released table.Column
		paired             bool
		want               string
	}{
		"numbers":           {dated(numbers(seconds)), numbers(seconds), true, "date birth"},
		"numbers, unpaired": {dated(numbers(seconds)), numbers(moved), false, "date birth"},
		"other numbers":     {dated(numbers(seconds)), numbers(moved), true, ""},
		"classes":           {dated(numbers(seconds)), texts("low", "middle", "high"), false, ""},
		"texts":             {dated(texts(was...)), texts(was...), true, "date birth"},
		"coarser texts":     {dated(texts(was...)), dated(texts("before 1960", "unsaid", "1960s")), false, ""},
		"not called dates":  {numbers(seconds), numbers(seconds), true, ""},
		"called by its own": {numbers(seconds), dated(numbers(seconds)), true, "date birth"},
	} {
		found := must.Get(FindIdentifying(t.Context(), &measure.Release{
			Original: tabletest.Of(t, c.original), Released: tabletest.Of(t, c.released), Paired: c.paired}))(t)
		got := ""
		for _, f := range found {
			if f.Kind == limit.Date || f.Kind == limit.Birth {
				got += " " + f.Kind
			}
		}
		if got != "" && got[1:] != c.want || got == "" && c.want != "" {
			t.Errorf("%s: %q, want %q: %v", name, got, c.want, fmt.Sprint(found))
		}
	}
}
