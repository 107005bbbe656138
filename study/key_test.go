package study

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestByKey: rows of the release's file lead to those of the original's, whatever the order and the kind of the column.
func TestByKey(t *testing.T) {
	texts := tabletest.Of(t, table.CatColumn("id", []string{"12", "7", "1000000"}, []int32{0, 1, 2}))
	numbers := tabletest.Of(t, table.NumColumn("id", 1, []float64{1e6, 12, 7}))
	for name, c := range map[string]struct {
		original, released *table.Table
		want               []int
	}{
		"another order": {texts, texts.Gather([]int{2, 0, 1}), []int{0, 1, 2}},
		"numbers":       {texts, numbers, []int{2, 0, 1}},
		"fewer":         {numbers, texts.Slice(1, 3), []int{0, 2, 0}}, // row 0 of the file is not in the table
	} {
		if got, err := ByKey(c.original, c.released, "id"); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, expected %v", name, got, err, c.want)
		}
	}
}

// TestByKeyRefused: a key that names no record, several or a stranger's is refused by rows, never by values.
func TestByKeyRefused(t *testing.T) {
	good := tabletest.Of(t, table.NumColumn("id", 1, []float64{401, 402, 403}))
	without := tabletest.Of(t, table.NumColumn("x", 1, []float64{1}))
	of := func(v ...float64) *table.Table { return tabletest.Of(t, table.NumColumn("id", 1, v)) }
	for says, c := range map[string][2]*table.Table{
		"the release: there is no such column":                                     {good, without},
		"the original: there is no such column":                                    {without, good},
		"the release: row 3 has the value of row 1; a key names every record once": {good, of(401, 402, 401)},
		"the original: row 2 has the value of row 1":                               {of(401, 401), good},
		"the release: row 2 has no value":                                          {good, of(401, math.NaN())},
		"the release: row 2 has a value that the original lacks":                   {good, of(403, 404)},
	} {
		_, err := ByKey(c[0], c[1], "id")
		if err == nil || !strings.HasPrefix(err.Error(), says) || strings.Contains(err.Error(), "40") {
			t.Errorf("%v, expected %q", err, says)
		}
	}
}
