package instant

import (
	"math"
	"testing"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

var units = []Unit{Day, Sec, Milli, Micro, Nano}

// What a file holds comes back from the column in the unit of the file, and from its text, in every unit.
func TestThereAndBack(t *testing.T) {
	for _, u := range units {
		for _, utc := range []bool{false, true} {
			for _, days := range []int64{0, 1, -1, 20455, -100_000, 100_000} {
				k := days * int64(u.perDay())
				x, err := u.Number(k)
				if err != nil {
					t.Fatalf("%d %s: %v", k, u, err)
				}
				c := u.Column("a", utc, []float64{math.NaN(), x})
				if back, ok := u.Of(&c); !ok || back(1) != k {
					t.Errorf("%d %s came back as another number", k, u)
				}
				text := u.Append(nil, k, utc)
				if back, ok := u.Parse(string(text), utc); !ok || back != k {
					t.Errorf("%d %s: the text %s is read as %d, %t", k, u, text, back, ok)
				}
				if u != Day && UTC(c.Dates) != utc {
					t.Errorf("%s: UTC %t is written %s", u, utc, c.Dates)
				}
			}
		}
	}
}

// The coarsest unit that tells all values is taken.
func TestColumn(t *testing.T) {
	for _, c := range []struct {
		u    Unit
		k    []int64
		want calendar.Notation
	}{
		{Sec, []int64{1, 61}, "yyyy-mm-ddThh:mm:ss"},
		{Milli, []int64{1000, -5000}, "yyyy-mm-ddThh:mm:ss"},
		{Milli, []int64{1000, -5001}, "yyyy-mm-ddThh:mm:ss.fff"},
		{Micro, []int64{1_000_000}, "yyyy-mm-ddThh:mm:ss"},
		{Micro, []int64{1_000_000, 2000}, "yyyy-mm-ddThh:mm:ss.fff"},
		{Micro, []int64{1_000_000, 2001}, "yyyy-mm-ddThh:mm:ss.ffffff"},
		{Nano, []int64{7_000_000_000}, "yyyy-mm-ddThh:mm:ss"},
		{Nano, []int64{7000}, "yyyy-mm-ddThh:mm:ss.ffffff"},
	} {
		var num []float64
		for _, k := range c.k {
			x := must.Get(c.u.Number(k))(t)
			num = append(num, x)
		}
		col := c.u.Column("a", false, num)
		if col.Dates != c.want {
			t.Errorf("%v %s are written %s", c.k, c.u, col.Dates)
		}
		back, ok := c.u.Of(&col)
		for i, k := range c.k {
			if !ok || back(i) != k {
				t.Errorf("%v %s: value %d comes back as another", c.k, c.u, i)
			}
		}
	}
}

func TestOutside(t *testing.T) {
	for _, c := range []struct {
		u Unit
		k int64
	}{{Nano, 1}, {Nano, 100}, {Nano, -999}, {Day, 2_932_897}, {Day, -719_163}, {Sec, 253_402_300_800},
		{Milli, math.MaxInt64}, {Micro, math.MinInt64}, {Micro, 1<<53 + 1}} {
		if x, err := c.u.Number(c.k); err != ErrOutside {
			t.Errorf("%d %s is read as %v, %v", c.k, c.u, x, err)
		}
	}
	for _, c := range []struct {
		u    Unit
		text string
	}{{Day, "2026-2-28"}, {Day, "2026-02-29"}, {Sec, "2026-01-02T03:04:05.1"}, {Milli, "2026-01-02T03:04:05Z"},
		{Micro, "2026-01-02"}, {Nano, "2600-01-01T00:00:00"}} {
		if k, ok := c.u.Parse(c.text, false); ok {
			t.Errorf("%s is %d %s", c.text, k, c.u)
		}
	}
	minutes := table.DateColumn("a", "yyyy-mm-dd hh:mm", []float64{1440, 1441})
	if _, ok := Day.Of(&minutes); ok {
		t.Error("a minute behind midnight is a whole day")
	}
}
