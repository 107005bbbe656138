package syntheticrisk

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// membershipPeople returns people of six independent numbers.
func membershipPeople(n int, seed uint64) *table.Table {
	r := rand.New(rand.NewPCG(seed, 5))
	cols := make([]table.Column, 6)
	for j := range cols {
		v := make([]float64, n)
		for i := range v {
			v[i] = r.NormFloat64()
		}
		cols[j] = table.NumColumn(string(rune('a'+j)), 0, v)
	}
	return tabletest.Must(cols...)
}

// noisy adds normal noise.
func noisy(t *table.Table, sd float64) *table.Table {
	r := rand.New(rand.NewPCG(77, 5))
	for j := range t.Width() {
		v := make([]float64, t.Rows())
		for i := range v {
			v[i] = t.Num(j)[i] + sd*r.NormFloat64()
		}
		t = t.WithNum(j, v)
	}
	return t
}

func membershipTake(t testing.TB, r *measure.Release) (measure.Value, *MembershipDetail) {
	t.Helper()
	v := must.Get(Membership.New().Measure(context.Background(), r, rng.Source{}))(t)
	return v, v.Detail.(*MembershipDetail)
}

// Little noise gives membership away; other people's records do not. There the rate at 1 % has a mean of 0.01 and a
// standard error, of 1,000 others and 1,000 members, of about 0.0045: 0.03 is exceeded in 1 of 100,000 draws.
func TestMembershipPlanted(t *testing.T) {
	tab, hold := membershipPeople(1000, 1), membershipPeople(1000, 2)
	v, d := membershipTake(t, &measure.Release{Original: tab, Released: noisy(tab, 0.02), Holdout: hold})
	if v.Lo < 0.95 || d.AtTenth < 0.9 || d.AUC < 0.99 || !d.Holdout {
		t.Errorf("%v from %v, %+v", v.Score, v.Lo, *d)
	}
	v, d = membershipTake(t, &measure.Release{Original: tab, Released: membershipPeople(1000, 3), Holdout: hold})
	if v.Score > 0.03 || v.Hi > 0.045 || math.Abs(d.AUC-0.5) > 0.06 {
		t.Errorf("of other people's records %v to %v, %+v", v.Score, v.Hi, *d)
	}
}

// Without a hold-out the same people without their record stand for the others: the figure is near that with one.
func TestMembershipWithoutHoldout(t *testing.T) {
	tab := membershipPeople(1000, 1)
	for _, sd := range []float64{0.1, 0.5, 2} {
		with, _ := membershipTake(t,
			&measure.Release{Original: tab, Released: noisy(tab, sd), Holdout: membershipPeople(1000, 2)})
		v, d := membershipTake(t, &measure.Release{Original: tab, Released: noisy(tab, sd), Paired: true})
		if d.Holdout || len(v.Notes) == 0 || math.Abs(v.Score-with.Score) > 0.06 {
			t.Errorf("noise %v: without a hold-out %v, with one %v", sd, v.Score, with.Score)
		}
	}
	_, err := Membership.New().Measure(t.Context(), &measure.Release{Original: tab, Released: tab.Slice(0, 500)},
		rng.Source{})
	if !errors.Is(err, measure.ErrNotApplicable) {
		t.Errorf("unpaired and without a hold-out: %v", err)
	}
}

// Who knows less tells less, and the distances are those of comparing with all records one by one.
func TestMembershipTwin(t *testing.T) {
	tab, hold := membershipPeople(200, 4), membershipPeople(150, 5)
	released := noisy(tab, 0.3)
	who := &intruder.Intruder{Name: "x", Knows: []string{"a", "b"}}
	_, d := membershipTake(t, (&measure.Release{Original: tab, Released: released, Holdout: hold}).Against(who))
	near := func(t *table.Table) []float64 {
		out := make([]float64, t.Rows())
		for i := range out {
			out[i] = math.Inf(1)
			for k := range released.Rows() {
				sum := 0.0
				for j := range 2 {
					sum += math.Pow((t.Num(j)[i]-released.Num(j)[k])/membershipDeviation(tab.Num(j)), 2)
				}
				out[i] = min(out[i], sum)
			}
		}
		return out
	}
	in, out := near(tab), near(hold)
	least, second := math.Inf(1), math.Inf(1)
	for _, v := range out {
		if v < least {
			least, second = v, least
		} else {
			second = min(second, v)
		}
	}
	right := 0.0
	for _, v := range in {
		if v < second { // of 150 others one may be called in
			right++
		}
	}
	if math.Abs(d.AtOne-right/200) > 1e-12 {
		t.Errorf("%v, expected %v", d.AtOne, right/200)
	}
}

func membershipDeviation(v []float64) float64 {
	mean, ss := 0.0, 0.0
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		ss += (x - mean) * (x - mean)
	}
	return math.Sqrt(ss / float64(len(v)))
}

// A million records like Adult's take 13 times the processor time of the yardstick.
func BenchmarkAdult1M(b *testing.B) {
	tab := protecttest.AdultLike(b, 1_000_000)
	for b.Loop() {
		membershipTake(b, &measure.Release{Original: tab, Released: tab, Paired: true})
	}
	yardstick.Report(b)
}

// Without a hold-out one search gives both distances: they are those of searching with and without the own record.
func TestOneSearch(t *testing.T) {
	tab := membershipPeople(300, 6)
	released := noisy(tab, 0.4)
	m := &MembershipMeter{People: 300, Pairs: 1 << 40}
	who := &intruder.Intruder{Name: "x", Knows: []string{"a", "b"}}
	view := must.Get(who.On(tab.Attrs()))(t)
	in, out, err := m.distances(context.Background(), &measure.Release{Original: tab, Released: released, Paired: true},
		view.Known, false)
	must.NoError(t, err)
	for i := range in {
		least, other := math.Inf(1), math.Inf(1)
		for k := range released.Rows() {
			sum := 0.0
			for j := range 2 {
				sum += math.Pow((tab.Num(j)[i]-released.Num(j)[k])/membershipDeviation(tab.Num(j)), 2)
			}
			if least = min(least, sum); k != i {
				other = min(other, sum)
			}
		}
		if math.Abs(out[i]/in[i]-other/least) > 1e-9*other/least { // the scale of the space is its own
			t.Fatalf("person %d: %v and %v, expected as %v and %v", i, in[i], out[i], least, other)
		}
	}
}

// TestMost: the people tried are bounded by pairs, and enough to tell a rate of 1 %.
func TestMost(t *testing.T) {
	m := &MembershipMeter{People: 2000, Pairs: 10_000_000}
	for records, want := range map[int]int{0: 2000, 1000: 2000, 30_000: 333, 1_000_000: membershipFewest} {
		if got := m.most(records); got != want {
			t.Errorf("of %d records %d people are tried, expected %d", records, got, want)
		}
	}
}

// People of several records are held against people: of a release that holds nobody's records as few are told as of
// people of one record, by distance and by values. Were a person's nearest record held against any one record of
// others, 4 of 100 would be told of the former and more of the latter; the rate at 1 % is above 0.03 in 1 of 100,000
// draws, and this is one.
func TestMembershipOfPeopleWithSeveralRecords(t *testing.T) {
	several := func(tab *table.Table) *table.Table {
		whose := make([]int32, tab.Rows())
		for i := range whose {
			whose[i] = int32(i / 4)
		}
		return tab.Owned(whose)
	}
	tab, hold := several(membershipPeople(4000, 1)), several(membershipPeople(4000, 2))
	told := map[table.RecordID]int32{}
	for i, who := range tab.Owners() {
		told[tab.ID(i)] = who
	}
	v, d := membershipTake(t, &measure.Release{Original: tab, Released: membershipPeople(4000, 3), Holdout: hold,
		Owners: measure.Owners{Persons: map[string]map[table.RecordID]int32{"who": told}, Person: "who"}})
	if d.Members != 1000 || d.Others != 1000 {
		t.Errorf("%d members and %d others are people, expected 1,000 each", d.Members, d.Others)
	}
	if v.Score > 0.03 {
		t.Errorf("of people who are not in the release %.3f are told to be", v.Score)
	}
}
