package study

import (
	"strings"
	"testing"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestSigns: a sign that no value of the original has is told with the number of records, of either sign; numbers of
// both signs, days, and what keeps its sign are not.
func TestSigns(t *testing.T) {
	day := func(v ...float64) table.Column {
		c := table.NumColumn("seen", 1, v)
		c.Dates = "yyyy-mm-dd"
		return c
	}
	original := tabletest.Of(t, table.NumColumn("rent", 1, []float64{0, 400, 900}),
		table.NumColumn("debt", 1, []float64{-5, 0, -1}), table.NumColumn("balance", 1, []float64{-5, 3, 1}),
		day(10, 20, 30))
	released := tabletest.Of(t, table.NumColumn("rent", 1, []float64{-1225, -3, 900}),
		table.NumColumn("debt", 1, []float64{2, -1, -1}), table.NumColumn("balance", 1, []float64{-9, 9, 0}),
		day(-1, 2, 3))
	got := message.Written(Signs(original, released))
	if len(got) != 1 || !strings.Contains(got[0], `"rent" 2 below 0`) || !strings.Contains(got[0], `"debt" 1 above 0`) ||
		strings.Contains(got[0], "balance") || strings.Contains(got[0], "seen") {
		t.Errorf("%q", got)
	}
	if got := Signs(original, original); got != nil {
		t.Errorf("the original beside itself: %v", got)
	}
}
