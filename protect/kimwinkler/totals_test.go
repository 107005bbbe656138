package kimwinkler

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/protect/internal/fence"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// The level is what comes of handing out the steps one by one, each to a place that has taken fewest and has room.
func TestLevel(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		rooms := rapid.SliceOfN(rapid.Int64Range(0, 12), 1, 8).Draw(r, "rooms")
		sum := int64(0)
		for _, v := range rooms {
			sum += v
		}
		steps := rapid.Int64Range(0, sum).Draw(r, "steps")
		kept := slices.Clone(rooms)
		each, more := level(rooms, steps)
		taken := make([]int64, len(rooms))
		for range steps {
			best := -1
			for i, room := range rooms {
				if taken[i] < room && (best < 0 || taken[i] < taken[best]) {
					best = i
				}
			}
			taken[best]++
		}
		left := more
		for i, room := range rooms {
			got := min(room, each)
			if room > each && left > 0 {
				got, left = got+1, left-1
			}
			if got != taken[i] {
				r.Fatalf("%d steps in rooms %v: level %d and %d more, expected %v", steps, rooms, each, more, taken)
			}
		}
		if left != 0 || !slices.Equal(kept, rooms) {
			r.Fatalf("%d steps are left, rooms %v become %v", left, kept, rooms)
		}
	})
}

// On any grid and domain, the records of a subdomain have their total back, whole steps of it, and stay in the domain.
func TestSettle(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		step := rapid.SampledFrom([]float64{1, 0.01, 5, 0.3, 0}).Draw(r, "step")
		d := wrap.On(table.Interval{Lo: -30, Hi: 45}, step)
		n := rapid.IntRange(1, 9).Draw(r, "n")
		b := balancer{d: &d, step: d.Step(), x: make([]float64, n), y: make([]float64, n)}
		lots := make([]int32, n)
		want := int64(0)
		lo, hi := d.Limits()
		for i := range n {
			lots[i] = int32(i)
			b.x[i] = d.Clip(rapid.Float64Range(-35, 50).Draw(r, "x"))
			b.y[i] = d.Clip(rapid.Float64Range(-60, 90).Draw(r, "y"))
			want += b.steps(lo, b.x[i])
		}
		if !b.settle(lots) {
			r.Fatal("the steps are not counted")
		}
		got := int64(0)
		for _, v := range b.y {
			got += b.steps(lo, v)
			if v < lo || v > hi || d.Clip(v) != v {
				r.Fatalf("%v is outside %v to %v, or off the grid", v, lo, hi)
			}
		}
		if got != want {
			r.Fatalf("the total is %d steps, expected %d", got, want)
		}
	})
}

// A total is that of the values there are; combinations with too few of them share one, and too few together have none,
// so that no value can be told from its total.
func TestSmallSubdomains(t *testing.T) {
	nan := math.NaN()
	keys := cells{of: []int32{0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 3}, n: 4}
	for _, c := range []struct {
		x    []float64
		want string
		n    int
	}{
		{[]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, "[0 0 0 0 2 2 2 2 2 1 1 1 1]", 3},
		{[]float64{1, 1, 1, 1, nan, nan, 1, 1, 1, 1, 1, 1, nan}, "[0 0 0 0 2 2 1 1 1 1 1 1 2]", 2},
		{[]float64{1, 1, 1, 1, nan, nan, 1, 1, 1, 1, 1, 1, 1}, "[0 0 0 0 3 3 2 2 2 1 1 1 1]", 2},
	} {
		b := balancer{x: c.x}
		sub, n := b.subdomains(keys, 4)
		if got := fmt.Sprint(sub.of); got != c.want || n != c.n {
			t.Errorf("%v: subdomains %s, %d with a total; expected %s and %d", c.x, got, n, c.want, c.n)
		}
	}
}

// A small group alone is not given away: its total is free.
func TestLonelyValueGetsNoise(t *testing.T) {
	tab := firms(t, 100)
	region := make([]int32, 100)
	region[40] = 1
	tab = tab.WithCat(0, region).WithCat(1, make([]int32, 100))
	p := fit(t, tab, map[string]string{"target": "100", "noise": "0.5"})
	out := release(t, p, tab)
	same := 0
	for _, j := range p.Columns {
		if out.Num(j)[40] == tab.Num(j)[40] {
			same++
		}
	}
	if same == len(p.Columns) {
		t.Error("the only record of a region is released as it is")
	}
}

// Values missing take no part in totals, and stay missing.
func TestTotalsWithMissing(t *testing.T) {
	tab := protecttest.Mixed(500)
	p := fit(t, tab, map[string]string{"keys": "sex"})
	out := release(t, p, tab)
	j := tab.Find("hours")
	sum := func(t *table.Table) (s [2]float64) {
		for i, v := range t.Num(j) {
			if v == v {
				s[t.Cat(tab.Find("sex"))[i]] += v
			}
		}
		return s
	}
	if got, want := sum(out), sum(tab); got != want {
		t.Errorf("the totals are %v, expected %v", got, want)
	}
}

// Noise that cannot be counted is an error.
func TestTooFineForTotals(t *testing.T) {
	d := wrap.On(table.Interval{Lo: 0, Hi: 1 << 52}, 1)
	n := 1100
	b := balancer{d: &d, step: 1, x: make([]float64, n), y: make([]float64, n)}
	lots := make([]int32, n)
	for i := range n {
		lots[i], b.y[i] = int32(i), 1<<52
	}
	if b.settle(lots) {
		t.Error("more than 2^62 steps are counted")
	}
	if !b.settle(lots[:100]) || b.y[0] != 0 {
		t.Error("less than 2^62 steps are not counted")
	}
}

// Of the plans that a file may hold, those that contradict themselves are refused.
func TestCheck(t *testing.T) {
	tab := firms(t, 60)
	for name, spoil := range map[string]func(p *Plan){
		"a shrinking constant":  func(p *Plan) { p.Shrink = 0.5 },
		"independent noise":     func(p *Plan) { p.Root = p.Root[:3] },
		"a target of 101 %":     func(p *Plan) { p.Target = 101 },
		"totals of two values":  func(p *Plan) { p.Smallest = 2 },
		"limits out of order":   func(p *Plan) { p.Cuts = []float64{1, 1} },
		"a numeric key":         func(p *Plan) { p.Keys = []int{3} },
		"a column out of range": func(p *Plan) { p.Columns = []int{3, 4, 9} },
		"an unknown outside":    func(p *Plan) { p.Outside = "x" },
	} {
		p := fit(t, tab, nil)
		spoil(p)
		if p.Check() == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if p := fit(t, tab, nil); p.Outside != fence.OutsideAllow || p.Check() != nil {
		t.Error("the default plan is refused")
	}
}
