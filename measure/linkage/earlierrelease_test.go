package linkage

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/nearest"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// earlierPeople returns people of three numbers and a region.
func earlierPeople(n int, seed uint64) *table.Table {
	r := rand.New(rand.NewPCG(seed, 5))
	cols := make([]table.Column, 3)
	for j := range cols {
		v := make([]float64, n)
		for i := range v {
			v[i] = r.NormFloat64()
		}
		cols[j] = table.NumColumn(string(rune('a'+j)), 0, v)
	}
	region := make([]int32, n)
	for i := range region {
		region[i] = int32(r.IntN(3))
	}
	return tabletest.Must(append(cols, table.CatColumn("region", []string{"n", "s", "w"}, region))...)
}

// earlierNoisy adds normal noise to the numbers and draws a fifth of the regions anew.
func earlierNoisy(t *table.Table, sd float64, seed uint64) *table.Table {
	r := rand.New(rand.NewPCG(seed, 8))
	for j := range 3 {
		v := make([]float64, t.Rows())
		for i := range v {
			v[i] = t.Num(j)[i] + sd*r.NormFloat64()
		}
		t = t.WithNum(j, v)
	}
	region := slices.Clone(t.Cat(3))
	for i := range region {
		if r.IntN(5) == 0 {
			region[i] = int32(r.IntN(3))
		}
	}
	return t.WithCat(3, region)
}

func earlierTake(
	t testing.TB,
	original, released, earlier *table.Table,
	seed byte,
	more ...*table.Table,
) (measure.Value, *EarlierReleaseDetail) {
	t.Helper()
	r := &measure.Release{
		Original:   original,
		Released:   released,
		Paired:     true,
		Background: measure.Background{Earlier: append([]*table.Table{earlier}, more...)},
	}
	v := must.Get(EarlierRelease.New().Measure(context.Background(), r, rng.New([32]byte{seed})))(t)
	return v, v.Detail.(*EarlierReleaseDetail)
}

// Two copies drawn apart find more than one, and their mean has noise of 1/sqrt 2; the same copy twice adds nothing.
func TestEarlierReleasePlanted(t *testing.T) {
	tab := earlierPeople(2000, 1)
	v, d := earlierTake(t, tab, earlierNoisy(tab, 0.2, 1), earlierNoisy(tab, 0.2, 2), 1)
	if v.Lo < 0.05 || d.With < 1.3*d.Without || math.Abs(*d.Noise-math.Sqrt(0.5)) > 0.02 {
		t.Errorf("%v from %v, %+v, noise %v", v.Score, v.Lo, *d, *d.Noise)
	}
	v, d = earlierTake(t, tab, earlierNoisy(tab, 0.2, 1), earlierNoisy(tab, 0.2, 1), 1)
	if v.Lo > 0 || v.Score > 0.02 || v.Hi > 0.03 || *d.Noise != 1 {
		t.Errorf("of the same copy twice %v to %v, noise %v", v.Lo, v.Hi, *d.Noise)
	}
}

// Several copies drawn apart find more than two, their mean has noise of 1/sqrt r, and what one of them is in again
// adds nothing.
func TestSeveral(t *testing.T) {
	tab := earlierPeople(2000, 1)
	_, two := earlierTake(t, tab, earlierNoisy(tab, 0.2, 1), earlierNoisy(tab, 0.2, 2), 1)
	_, four := earlierTake(t, tab, earlierNoisy(tab, 0.2, 1), earlierNoisy(tab, 0.2, 2), 1, earlierNoisy(tab, 0.2, 3),
		earlierNoisy(tab, 0.2, 4))
	if four.Releases != 4 || four.With < 1.2*two.With || math.Abs(*four.Noise-0.5) > 0.02 {
		t.Errorf("%+v (noise %v) after %+v", *four, *four.Noise, *two)
	}
	same := earlierNoisy(tab, 0.2, 1)
	if _, d := earlierTake(t, tab, same, same, 1, same); *d.Noise != 1 || d.Lo > 0 {
		t.Errorf("the same copy three times: %+v, noise %v", *d, *d.Noise)
	}
}

// Candidates are the intersection of the classes of all releases: halves, thirds and fifths of 30 people single
// everybody out together, and no two do.
func TestSeveralIntersect(t *testing.T) {
	by := func(m int) *table.Table {
		cols := make([]table.Column, 3)
		for j, n := range []int{2, 3, 5} {
			codes := make([]int32, 30)
			for i := range codes {
				if codes[i] = 0; n == m || m == 0 {
					codes[i] = int32(i % n)
				}
			}
			cols[j] = table.CatColumn(string(rune('a'+j)), []string{"0", "1", "2", "3", "4"}, codes)
		}
		return tabletest.Must(cols...)
	}
	_, all := earlierTake(t, by(0), by(2), by(3), 1, by(5))
	_, some := earlierTake(t, by(0), by(2), by(3), 1)
	if all.With != 1 || all.Alone != 1 || all.Few != 1 || math.Abs(all.AlikeBoth-1) > 1e-12 {
		t.Errorf("by all %+v", *all)
	}
	if some.Alone != 0 || some.Few != 0 || math.Abs(some.AlikeBoth-6.0/30) > 1e-12 {
		t.Errorf("by two %+v", *some)
	}
}

// Classes that overlap: of groups of 10 in one release and of 10 others in the other only one person is in both.
func TestIntersection(t *testing.T) {
	const n = 100
	col := func(of func(i int) int) table.Column {
		codes, labels := make([]int32, n), make([]string, n)
		for i := range codes {
			codes[i], labels[i] = int32(of(i)), string(rune('0'+i))
		}
		return table.CatColumn("group", labels, codes)
	}
	// The original is what the release shows of it: anyone who looks somebody up knows both groups.
	two := func(first, second func(i int) int) *table.Table {
		a, b := col(first), col(second)
		b.Name = "other"
		return tabletest.Must(a, b)
	}
	tens, units, one := func(i int) int { return i / 10 }, func(i int) int { return i % 10 }, func(int) int { return 0 }
	v, d := earlierTake(t, two(tens, units), two(tens, one), two(one, units), 1)
	if math.Abs(d.Without-0.1) > 0.01 || d.With != 1 || v.Score < 0.85 || math.Abs(d.Alike-0.1) > 1e-12 ||
		d.AlikeBoth != 1 {
		t.Errorf("%v, %+v", v.Score, *d)
	}
	if v, _ = earlierTake(t, two(tens, units), two(tens, one), two(tens, one), 1); v.Score != 0 {
		t.Errorf("of the same classes %v", v.Score)
	}
}

// Two copies with the same noise have a lower bound of 0: of 60 releases at most 5 % have another, but for chance; more
// than 9 have a probability below 0.002. An earlier release of other people is no use either.
func TestEarlierReleaseFalseAlarms(t *testing.T) {
	alarms := 0
	for seed := range uint64(30) {
		tab := earlierPeople(200, seed)
		for _, earlier := range []*table.Table{
			earlierNoisy(tab, 0.2, seed), earlierNoisy(earlierPeople(200, seed+1000), 0.2, seed),
		} {
			if v, _ := earlierTake(t, tab, earlierNoisy(tab, 0.2, seed), earlier, byte(seed)); v.Lo > 0 {
				alarms++
			}
		}
	}
	if alarms > 9 {
		t.Errorf("%d of 60 earlier releases seem to add something", alarms)
	}
}

func TestEarlierReleaseDoesNotApply(t *testing.T) {
	tab := earlierPeople(20, 1)
	if _, err := EarlierRelease.New().Measure(t.Context(), &measure.Release{Original: tab, Released: tab, Paired: true},
		rng.Source{}); !errors.Is(err, measure.ErrNotApplicable) {
		t.Errorf("without an earlier release: %v", err)
	}
	if _, err := EarlierRelease.New().Measure(t.Context(),
		&measure.Release{Original: tab, Released: tab,
			Background: measure.Background{Earlier: []*table.Table{tab.Slice(0, 9)}}, Paired: true},
		rng.Source{}); err == nil {
		t.Error("an earlier release of other rows is accepted")
	}
}

// The credit is that of comparing with all records one by one.
func TestEarlierReleaseTwin(t *testing.T) {
	tab := earlierPeople(60, 3)
	released := earlierNoisy(tab, 0.3, 4)
	p := newPair(
		&measure.Release{Original: tab, Released: released,
			Background: measure.Background{Earlier: []*table.Table{earlierNoisy(tab, 0.3, 5)}}, Paired: true},
		classesOf(tab),
	)
	credits := must.Get(p.find(t.Context(), 60))(t)
	for i := range 60 {
		best, nearest := math.Inf(1), -1
		for k := range 60 {
			sum := 0.0
			for j := range 3 {
				a := tab.Num(j)[i]
				b := (released.Num(j)[k] + p.r.Earlier[0].Num(j)[k]) / 2
				sum += math.Pow((a-b)/deviation(tab.Num(j)), 2) / 2
			}
			for _, c := range [][]int32{released.Cat(3), p.r.Earlier[0].Cat(3)} {
				if c[k] != tab.Cat(3)[i] {
					sum++
				}
			}
			if sum < best {
				best, nearest = sum, k
			}
		}
		if want := map[bool]float64{true: 1}[nearest == i]; credits[2][i] != want {
			t.Errorf("person %d has %v, expected %v", i, credits[2][i], want)
		}
	}
}

func deviation(v []float64) float64 {
	mean, ss := 0.0, 0.0
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		ss += (x - mean) * (x - mean)
	}
	return math.Sqrt(ss / float64(len(v)))
}

// A million records like Adult's take 36 times the processor time of the yardstick as copies and 43 times with noise,
// most of it for the three indexes.
func BenchmarkEarlierReleaseAdult1M(b *testing.B) {
	tab := protecttest.AdultLike(b, 1_000_000)
	noisy := func(seed byte) *table.Table {
		plan := must.Get(rnat.New().Fit(context.Background(), tab, rng.Source{}))(b)
		t := must.Get(executor.Run(context.Background(), plan, tab, rng.New([32]byte{seed}), protect.Options{}))(b)
		return t
	}
	for name, copies := range map[string][2]*table.Table{"copies": {tab, tab}, "noise": {noisy(1), noisy(2)}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				earlierTake(b, tab, copies[0], copies[1], 1)
			}
			yardstick.Report(b)
		})
	}
}

func classesOf(t *table.Table) []intruder.Known { return nearest.Everything(t) }

// TestFurther: two releases of which each has two people in every class have everybody alone together, where an earlier
// one has another column; who does not know all quasi-identifiers of this table knows none of the other's.
func TestFurther(t *testing.T) {
	quasi := func(c table.Column) table.Column { c.Role = table.Quasi; return c }
	secret := table.NumColumn("pay", 1, []float64{1, 2, 3, 4})
	secret.Role = table.Confidential
	tab := tabletest.Of(t, quasi(table.CatColumn("a", []string{"x", "y"}, []int32{0, 0, 1, 1})),
		quasi(table.CatColumn("b", []string{"x"}, []int32{0, 0, 0, 0})))
	more := tabletest.Of(t, quasi(table.CatColumn("c", []string{"x", "y"}, []int32{0, 1, 0, 1})), secret)
	for name, c := range map[string]struct {
		knows     []string
		with      *table.Table
		alone     float64
		all, note string
	}{
		"alone":    {[]string{"a", "b"}, nil, 0, "50 %", ""},
		"together": {[]string{"a", "b"}, more, 1, "100 %", "in c is taken"},
		"less":     {[]string{"a"}, more, 0, "50 %", ""},
	} {
		r := &measure.Release{Original: tab, Released: tab, Paired: true,
			Background: measure.Background{Earlier: []*table.Table{tab}}}
		if c.with != nil {
			r.Further = []*table.Table{c.with}
		}
		r = r.Against(&intruder.Intruder{Name: "x", Knows: c.knows})
		v := must.Get(EarlierRelease.New().Measure(context.Background(), r, rng.Source{}))(t)
		d, says := v.Detail.(*EarlierReleaseDetail), strings.Join(message.Written(v.Notes), "; ")
		if d.Alone != c.alone || !strings.Contains(d.Sentence().String(), "earlier one, "+c.all) ||
			(says == "") != (c.note == "") || !strings.Contains(says, c.note) {
			t.Errorf("%s: alone %v; %s; %s", name, d.Alone, d.Sentence(), says)
		}
	}
}
