package reading_test

import (
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/study/reading"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Asterisks of a release are suppressed and missing, its gaps missing only; numbers and categories have the kinds of
// the original; an asterisk that is a value of the original is a value of the release.
func TestStarred(t *testing.T) {
	original := tabletest.Of(t, table.NumColumn("age", 1, []float64{31, 42, 53, math.NaN()}),
		categories("town", []string{"Ulm", "Bonn", "Ulm", "Kiel"}), categories("sign", []string{"*", "+", "+", "*"}),
		categories("ward", []string{"a", "b", "a", "b"}))
	town := categories("town", []string{"*****", "Bonn", "Ulm", "*"})
	town.Cat[1] = -1
	released := tabletest.Of(t, categories("age", []string{"*", "42", "53", "*"}), town,
		categories("sign", []string{"*", "+", "+", "*"}), categories("ward", []string{"a", "b", "a*", "b"}))
	opt := format.Options{Kinds: map[string]table.Kind{"age": table.Numeric}}
	got, n, err := reading.Starred(released, original, opt, &format.Info{})
	if err != nil || n != 4 {
		t.Fatal(n, err)
	}
	if a := got.Column(0); a.Kind != table.Numeric || !slices.Equal(a.Suppressed, []bool{true, false, false, true}) ||
		!math.IsNaN(a.Num[0]) || a.Num[1] != 42 {
		t.Errorf("age: %+v", a)
	}
	if c := got.Column(1); !slices.Equal(c.Labels, []string{"Ulm"}) || c.Cat[1] != -1 ||
		!slices.Equal(c.Suppressed, []bool{true, false, false, true}) {
		t.Errorf("town: %+v", c)
	}
	for _, j := range []int{2, 3} {
		if c := got.Column(j); c.Suppressed != nil || len(c.Labels) != len(released.Attr(j).Labels) {
			t.Errorf("%s: %+v", c.Name, c)
		}
	}
	words := tabletest.Of(t, categories("age", []string{"*", "old", "53", "*"}))
	if _, _, err := reading.Starred(words, original, opt, &format.Info{}); err == nil {
		t.Error("words are read as numbers")
	}
	rows := got.Gather([]int{3, 1})
	if c := rows.Column(0); !slices.Equal(c.Suppressed, []bool{true, false}) {
		t.Error("records lose their marks on the way")
	}
}
