package chart

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/table"
)

// TestDateTicks: ticks of dates stand at the starts of years or months, or at round days and times where the axis is
// shorter.
func TestDateTicks(t *testing.T) {
	for _, c := range []struct {
		notation calendar.Notation
		lo, hi   string
		n        int
		want     string
	}{
		{"dd.mm.yyyy", "14.04.1931", "03.11.2019", 7, "01.01.1940 01.01.1960 01.01.1980 01.01.2000"},
		{"yyyy-mm-dd", "2019-04-14", "2023-05-18", 7, "2020-01-01 2021-01-01 2022-01-01 2023-01-01"},
		{"yyyy-mm-dd", "2019-04-14", "2020-05-18", 7, "2019-07-01 2019-10-01 2020-01-01 2020-04-01"},
		{"mm/dd/yyyy", "12/30/2019", "03/02/2020", 4, "01/01/2020 02/01/2020 03/01/2020"},
		{"yyyy-mm-dd", "2020-02-20", "2020-03-13", 7, "2020-02-21 2020-02-26 2020-03-01 2020-03-06 2020-03-11"},
		{"yyyy-mm-dd", "2020-02-27", "2020-03-01", 7, "2020-02-27 2020-02-28 2020-02-29 2020-03-01"},
		{"yyyy-mm-dd hh:mm", "2020-02-27 08:10", "2020-02-27 17:00", 7, "2020-02-27 10:00 2020-02-27 12:00 2020-02-27 " +
			"14:00 2020-02-27 16:00"},
	} {
		at := func(text string) float64 {
			v, _, ok := c.notation.Number(text)
			if !ok {
				t.Fatalf("%s is no date of %s", text, c.notation)
			}
			return v
		}
		a := table.Attribute{Kind: table.Numeric, Dates: c.notation}
		var got []string
		for _, k := range dates(&a, at(c.lo), at(c.hi), c.n) {
			if k.label != string(c.notation.Append(nil, k.at)) {
				t.Errorf("a tick at %v is called %s", k.at, k.label)
			}
			got = append(got, k.label)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s to %s: %s, expected %s", c.lo, c.hi, s, c.want)
		}
	}
}

// Of any range there are at most as many as asked for, inside it and ascending, and no fewer than a sixth of it where
// the range is long.
func TestDateTicksOfAnyRange(t *testing.T) {
	a := table.Attribute{Kind: table.Numeric, Dates: calendar.ISO}
	long.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(-700_000, 100_000).Draw(t, "lo")
		hi := lo + math.Exp(rapid.Float64Range(0, 13).Draw(t, "log span"))
		n := rapid.IntRange(1, 8).Draw(t, "n")
		last := math.Inf(-1)
		some := dates(&a, lo, hi, n)
		for _, k := range some {
			if k.at < lo || k.at > hi || k.at <= last {
				t.Fatalf("a tick at %v after %v in [%v, %v]", k.at, last, lo, hi)
			}
			last = k.at
		}
		if len(some) > n || n >= 6 && hi-lo > 60 && len(some) < n/3 {
			t.Fatalf("%d ticks in [%v, %v], asked for at most %d", len(some), lo, hi, n)
		}
	})
}
