package hierarchy

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
)

// The groups of dates are those that package time says, on every level, in the decades of the column and beyond them.
func TestCalendarEqualsTwin(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		n := rapid.SampledFrom([]calendar.Notation{"dd.mm.yyyy", "yyyy-mm-dd hh:mm"}).Draw(r, "notation")
		unit := int64(86400)
		if n.PerDay() > 1 {
			unit = 60
		}
		from := rapid.Int64Range(-100*365*86400, 60*365*86400).Draw(r, "from")
		days := rapid.SliceOfN(rapid.Int64Range(from, from+rapid.Int64Range(0, 30*365*86400).Draw(r, "span")), 1,
			30).Draw(r, "seconds")
		num := []float64{math.NaN()}
		for _, s := range days {
			num = append(num, math.Floor(float64(s)/float64(unit)))
		}
		c := table.DateColumn("born", n, num)
		h := Build(&c)
		must.NoError(r, h.Check())
		names := []func(at time.Time) string{
			func(at time.Time) string { return at.Format("2006-01") },
			func(at time.Time) string {
				return at.Format("2006-") + []string{"Q1", "Q2", "Q3", "Q4"}[(at.Month()-1)/3]
			},
			func(at time.Time) string { return at.Format("2006") },
			func(at time.Time) string { return at.Format("2006")[:3] + "0s" },
			func(time.Time) string { return Top },
		}
		if unit == 60 {
			names = slices.Insert(names, 0, func(at time.Time) string { return at.Format(time.DateOnly) })
		}
		if h.Height() != len(names) {
			r.Fatalf("height %d, expected %d", h.Height(), len(names))
		}
		for level, name := range names {
			groups := must.Get(h.Groups(&c, level+1))(r)
			for i, v := range num {
				if v != v {
					if groups[i] != -1 {
						r.Fatal("a missing date has a group")
					}
					continue
				}
				at := time.Unix(int64(v)*unit, 0).UTC()
				if got := h.Labels(level + 1)[groups[i]]; got != name(at) {
					r.Fatalf("%v is in %q on level %d, expected %q", at, got, level+1, name(at))
				}
			}
			beyond := table.DateColumn("born", n, []float64{-1e9, 1e9})
			if ends, err := h.Groups(&beyond, level+1); err != nil ||
				level+1 < h.Height() && (ends[0] != 0 || int(ends[1]) != len(h.Labels(level+1))-1) {
				r.Fatalf("dates beyond all are in the groups %v, %v", ends, err)
			}
		}
	})
}

// A column without dates has a sound hierarchy, and one of thousands of years leaves the finest levels out.
func TestCalendarAtItsEnds(t *testing.T) {
	empty := table.DateColumn("born", calendar.ISO, []float64{math.NaN()})
	if err := Build(&empty).Check(); err != nil {
		t.Errorf("no date: %v", err)
	}
	c := table.DateColumn("born", calendar.ISO, []float64{-719_162, 2_932_896}) // the years 1 to 9999
	h := Build(&c)
	if err := h.Check(); err != nil || h.Height() != 4 || h.Labels(1)[1] != "0000-Q1" {
		t.Errorf("all years: height %d, from %q, %v", h.Height(), h.Labels(1)[1], err)
	}
}
