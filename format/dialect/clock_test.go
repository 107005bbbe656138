package dialect

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dither-data/dither/calendar"
)

// The clocks of Stata, SAS and SPSS obey one rule: what most numbers show decides, fractions make the notation finer or
// are rounded, and what is no date is missing and named.
func TestClocks(t *testing.T) {
	nan := math.NaN()
	clocks := []Clock{{86_400_000, 3653 * 86_400_000}, {86_400, 3653 * 86_400}, {86_400, 12_219_379_200}, {1, 3653}}
	for _, k := range clocks {
		for _, c := range []struct {
			days  []float64 // since 1970
			want  calendar.Notation
			first string // date
			notes int
		}{
			{[]float64{0, 1, nan}, calendar.ISO, "1970-01-01", 0},
			{[]float64{1.5, nan, 2}, calendar.ISOTime, "1970-01-02T12:00:00", 0},
			{[]float64{10_000 + 1.0/86_400_000, 2}, calendar.ISOTime + ".fff", "1997-05-19T00:00:00.001", 0},
			{[]float64{10_000 + 0.12345678912, 2}, calendar.ISOTime + ".ffffff", "1997-05-19T02:57:46.6665", 0},
			{[]float64{1, 2, 1e9, nan}, calendar.ISO, "1970-01-02", 1},
			{[]float64{-1e9, 1e9, 1}, "", "", 1},
			{[]float64{nan}, calendar.ISO, "", 0},
		} {
			var info Info
			units := make([]float64, len(c.days))
			for i, d := range c.days {
				units[i] = d*k.PerDay + k.Epoch
			}
			made := k.Dates("a", units, &info, calendar.ISO)
			if len(info.Notes) != c.notes || (made == nil) != (c.want == "") {
				t.Errorf("%v, %v: a column: %t, %q", k, c.days, made != nil, info.Notes)
			}
			if made == nil {
				continue
			}
			col := made(nil)
			if k.PerDay == 1 && c.want == calendar.ISOTime+".fff" { // days tell no thousandth of a second so far from 1970
				continue
			}
			shown := string(col.AppendValue(nil, col.Num[0]))
			if col.Dates != c.want || c.first != "" && shown[:len(c.first)] != c.first {
				t.Errorf("%v, %v: %s as %s, want %s as %s", k, c.days, shown, col.Dates, c.first, c.want)
			}
			if c.notes > 0 && !math.IsNaN(col.Num[2]) {
				t.Errorf("%v, %v: %v is no date", k, c.days, col.Num)
			}
		}
	}
}

// Fractions finer than a millionth of a second are rounded, where a number is small enough to have them.
func TestClocksRound(t *testing.T) {
	made := Clock{86_400, 0}.Dates("a", []float64{1.0000004, 2}, &Info{})
	if made == nil {
		t.Fatal("no dates")
	}
	if col := made(nil); col.Dates != calendar.ISOTime+".ffffff" || col.Num[0] != 1e6 {
		t.Errorf("%v as %s", col.Num, col.Dates)
	}
}

// Dates that a clock cannot count exactly are not written as its numbers.
func TestUnits(t *testing.T) {
	k := Clock{1, 3653}
	col := k.Dates("a", []float64{0.5, 3653}, &Info{}, calendar.ISO)(nil)
	if num, ok := k.Units(&col); !ok || !cmp.Equal(num, []float64{0.5, 3653}) {
		t.Error(num, ok)
	}
	if col.Num[0] += 1e-3; col.Num[0] == math.Trunc(col.Num[0]) {
		t.Fatal("no fraction of a second")
	}
	if _, ok := k.Units(&col); ok {
		t.Error("a fraction of a second is lost")
	}
}
