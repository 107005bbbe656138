package study

import (
	"context"
	"strings"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// counting is a measure whose figure is a function of how many units there are.
type counting struct{ figure func(units int) float64 }

func (c *counting) Params() param.Set { return nil }
func (c *counting) Measure(_ context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	_, n := r.People()
	return measure.Exact(c.figure(n), nil), nil
}

// TestWorseReading: a measure of risk is taken by households and by persons, and the worse figure is that of the
// release, whichever direction is worse; one of utility is taken once.
func TestWorseReading(t *testing.T) {
	ids := func(of ...int32) map[table.RecordID]int32 {
		out := map[table.RecordID]int32{}
		for i, p := range of {
			out[table.RecordID(i)] = p
		}
		return out
	}
	tab := tabletest.Must(table.NumColumn("x", 1, []float64{1, 2, 3, 4, 5, 6}))
	r := &measure.Release{Original: tab, Released: tab, Paired: true, Owners: measure.Owners{
		Person: "p", Household: "h", Persons: map[string]map[table.RecordID]int32{
			"p": ids(0, 0, 1, 2, 3, 4), "h": ids(0, 0, 0, 1, 1, 1)}}} // 5 persons in 2 households
	grows, shrinks := func(n int) float64 { return float64(n) }, func(n int) float64 { return 1 / float64(n) }
	for name, c := range map[string]struct {
		figure func(int) float64
		better measure.Direction
		side   measure.Side
		want   float64
		note   string
	}{
		"persons are worse":                {grows, measure.Lower, measure.Risk, 5, "it counts persons"},
		"households are worse":             {shrinks, measure.Lower, measure.Risk, 0.5, "it counts households"},
		"households are worse, more is it": {grows, measure.Higher, measure.Risk, 2, "it counts households"},
		"the same":                         {func(int) float64 { return 1 }, measure.Lower, measure.Risk, 1, ""},
		"utility":                          {grows, measure.Lower, measure.Utility, 2, ""},
	} {
		m := measure.Measure{Card: card.Card{Name: "counting"}, Side: c.side, Better: c.better,
			New: func() measure.Meter { return &counting{c.figure} }}
		got, err := Evaluate(context.Background(), r, []Spec{{Measure: m}}, rng.New([32]byte{1}), nil)
		if err != nil || !got[0].Err.Empty() {
			t.Fatalf("%s: %v, %s", name, err, got[0].Err)
		}
		notes := ""
		for _, n := range got[0].Value.Notes {
			notes += n.String()
		}
		if got[0].Value.Score != c.want || c.note != "" && !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
			t.Errorf("%s: %v, %q; expected %v", name, got[0].Value.Score, notes, c.want)
		}
	}
}

// telling is counting, of at least three units, and says whom its intruder tells apart.
type telling struct{ counting }

func (c *telling) Measure(ctx context.Context, r *measure.Release, src rng.Source) (measure.Value, error) {
	v, err := c.counting.Measure(ctx, r, src)
	if _, n := r.People(); n < 3 {
		err = measure.NotApplicable(message.Text("too few"))
	}
	v.Detail = r.Intruder.Person
	return v, err
}

// TestBesides: a measure of risk is also taken by whatever else may be whose a record is; where that is the worst, the
// figure is of it, in its unit, against an intruder who tells its persons; a reading that does not apply is none.
func TestBesides(t *testing.T) {
	ids := func(size int) map[table.RecordID]int32 {
		out := map[table.RecordID]int32{}
		for i := range 12 {
			out[table.RecordID(i)] = int32(i / size)
		}
		return out
	}
	tab := tabletest.Must(table.NumColumn("x", 1, make([]float64, 12)))
	persons := map[string]map[table.RecordID]int32{"p": ids(2), "q": ids(4), "few": ids(6)} // 6, 3 and 2 persons
	by := func(names ...string) (out []measure.Reading) {
		for _, name := range names {
			out = append(out, measure.Reading{By: name, Says: message.Text("by " + name)})
		}
		return out
	}
	grows, shrinks := func(n int) float64 { return float64(n) }, func(n int) float64 { return 1 / float64(n) }
	for _, c := range []struct {
		person         string
		besides        []measure.Reading
		figure         func(int) float64
		want           float64
		note, unit, as string // as is whom the intruder tells
	}{
		{"p", nil, grows, 6, "", "unit.people", "p"},
		{"p", by(""), grows, 12, "by ", "unit.records", "p"},
		{"p", by(""), shrinks, 1. / 6, "", "unit.people", "p"},
		{"p", by("", "q"), shrinks, 1. / 3, "by q", "unit.people", "q"},
		{"p", by("q"), grows, 6, "", "unit.people", "p"},
		{"p", by("few"), shrinks, 1. / 6, "", "unit.people", "p"},
		{"", by("q"), shrinks, 1. / 3, "by q", "unit.people", ""},
		{"", by("q"), grows, 12, "", "unit.records", ""},
	} {
		r := &measure.Release{Original: tab, Released: tab, Paired: true,
			Owners: measure.Owners{Person: c.person, Persons: persons, Besides: c.besides}}
		m := measure.Measure{Card: card.Card{Name: "telling"}, Side: measure.Risk, Better: measure.Lower, Intruder: true,
			Unit: measure.Counting(measure.Heads, "unit.records"),
			New:  func() measure.Meter { return &telling{counting{c.figure}} }}
		spec := Spec{Measure: m, Intruder: &intruder.Intruder{Name: "i", Person: c.person}}
		got, err := Evaluate(context.Background(), r, []Spec{spec}, rng.New([32]byte{1}), nil)
		if err != nil || !got[0].Err.Empty() {
			t.Fatalf("%+v: %v, %s", c.besides, err, got[0].Err)
		}
		v, notes := got[0].Value, ""
		for _, n := range v.Notes {
			notes += n.String()
		}
		if v.Score != c.want || notes != c.note || v.Detail != c.as || got[0].Unit.Key != c.unit {
			t.Errorf("by %q and %+v: %v, %q, %q, %q; expected %v, %q, %q, %q", c.person, c.besides,
				v.Score, notes, v.Detail, got[0].Unit.Key, c.want, c.note, c.as, c.unit)
		}
	}
}

// finding is a measure whose figure is what an intruder finds by the columns known, an own one for each.
type finding struct{ figures map[string]float64 }

func (k *finding) Params() param.Set { return nil }
func (k *finding) Measure(_ context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	return measure.Exact(k.figures[r.Intruder.Name], nil), nil
}

// TestWeaker: who knows more has at least the figure of who knows less, where the measure says that the attacks of one
// are open to the other, and says so; who knows something else does not.
func TestWeaker(t *testing.T) {
	tab := tabletest.Must(table.NumColumn("x", 1, []float64{1, 2}), table.NumColumn("y", 1, []float64{1, 2}),
		table.NumColumn("z", 1, []float64{1, 2}))
	r := &measure.Release{Original: tab, Released: tab, Paired: true}
	who := []intruder.Intruder{{Name: "x and y", Knows: []string{"x", "y"}}, {Name: "x", Knows: []string{"x"}},
		{Name: "z", Knows: []string{"z"}}, {Name: "all", Knows: []string{"x", "y", "z"}}}
	figures := map[string]float64{"x": 0.4, "x and y": 0.1, "z": 0.2, "all": 0.5}
	for weaker, want := range map[bool][]float64{true: {0.4, 0.4, 0.2, 0.5}, false: {0.1, 0.4, 0.2, 0.5}} {
		m := measure.Measure{Card: card.Card{Name: "known"}, Facts: measure.Facts{Weaker: weaker}, Side: measure.Risk,
			Better: measure.Lower, Intruder: true, New: func() measure.Meter { return &finding{figures} }}
		got := must.Get(Evaluate(t.Context(), r, Against([]Spec{{Measure: m}}, who), rng.New([32]byte{1}), nil))(t)
		for k, w := range want {
			if got[k].Value.Score != w || got[k].Intruder != who[k].Name || (len(got[k].Value.Notes) > 0) != (weaker && k == 0) {
				t.Errorf("weaker %v: who knows %s has %v, expected %v (%v)",
					weaker, who[k].Name, got[k].Value.Score, w, got[k].Value.Notes)
			}
		}
	}
}
