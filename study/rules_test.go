package study

import (
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/stats/drift"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// TestRules: rules of the verdict that the tests of its parts leave open.
func TestRules(t *testing.T) {
	nan := math.NaN()
	at9, way := bounds("found", nan, 0.09, false), bounds("roworder", nan, 0.09, false)
	way.IfAny = true
	skipped := figured("roworder", "", nan, 0, 0)
	skipped.Err, skipped.Skip = message.Text("no order"), true
	one := figured("accuracy", "", 0.2, nan, 0.1)
	for name, c := range map[string]struct {
		limits   []limit.Limit
		pairless bool
		partial  bool
		ms       []Measured
		want     State
		reasons  int
		also     func(v *Verdict) bool
	}{
		"a figure that depends on no intruder binds": {limits: []limit.Limit{at9},
			ms: []Measured{figured("found", "", 1, 1, 1)}, want: Withheld, reasons: 1},
		"a bound that is not known shows nothing": {limits: []limit.Limit{bounds("accuracy", 0.5, nan, false)},
			ms: []Measured{one}, want: Withheld, reasons: 1,
			also: func(v *Verdict) bool { return v.Demands[0].Standing == Unproven && v.Demands[0].Hi == nil }},
		"what nobody accepted needs no accepting": {limits: []limit.Limit{at9},
			ms: []Measured{figured("found", "bound", 1, 1, 1)}, want: Withheld, reasons: 1,
			also: func(v *Verdict) bool { return !v.Demands[0].Needed }},
		"what is not shown is broken, too": {limits: []limit.Limit{at9},
			ms: []Measured{figured("found", "bound", 0.05, 0, 0.2)}, want: Withheld, reasons: 1,
			also: func(v *Verdict) bool { return len(v.Broken()) == 1 }},
		"what is open is named once": {limits: []limit.Limit{at9, way, way},
			ms:   []Measured{figured("found", "bound", 0, 0, 0), figured("roworder", "", 0.05, 0, 0.2)},
			want: Meets, also: func(v *Verdict) bool { return len(v.Gate.Undecided) == 1 }},
		"what was not asked for is named once": {limits: []limit.Limit{at9, at9}, partial: true, want: Unjudged,
			reasons: 1, also: func(v *Verdict) bool { return strings.Count(v.Reasons[0].Says.String(), "found") == 1 }},
		"of no pairs, what does not apply is not left out": {limits: []limit.Limit{at9, way}, pairless: true,
			ms: []Measured{figured("found", "", 0, 0, 0), skipped}, want: WithCare, reasons: 2,
			also: func(v *Verdict) bool { return v.Gate.NotJudged == nil }},
		"no limits for what has no pairs": {pairless: true, want: Unjudged},
		"who knows more is told": {limits: []limit.Limit{at9}, ms: both(0, 0.2), want: WithCare, reasons: 1,
			also: outknown(true)},
		"who knows no more is not": {limits: []limit.Limit{at9}, ms: both(0, 0.01), want: Meets, also: outknown(false)},
	} {
		v := Judge(&Outcome{Measures: c.ms}, Evidence{Partial: c.partial, Binding: []string{"bound"},
			Limits: &limit.Set{Name: "test", Limits: c.limits, Pairless: c.pairless}})
		if v.State != c.want || len(v.Reasons) != c.reasons || c.also != nil && !c.also(v) {
			t.Errorf("%s: %s, %d reasons: %s\n%+v\n%+v", name, v.State, len(v.Reasons), said(v), v.Gate, v.Demands)
		}
	}
}

// both are what one finds who is bound, and one who knows more.
func both(bound, more float64) []Measured {
	return []Measured{figured("found", "bound", bound, bound, bound), figured("found", "more", more, more, more)}
}

func outknown(is bool) func(*Verdict) bool { return func(v *Verdict) bool { return v.Outknown == is } }

// TestImpliedCounts: what is implied of one person withholds a release and is counted; of nobody, and where no limits
// are asked for by name, it does not.
func TestImpliedCounts(t *testing.T) {
	most := *limit.LeastImplied().Max
	for _, c := range []struct {
		name   string
		score  float64
		failed int
	}{{"test", most, 0}, {"test", most + 1, 1}, {limit.None, most + 1, 0}} {
		m := figured(limit.Implied, "", c.score, c.score, c.score)
		v := Judge(&Outcome{Measures: []Measured{m}}, Evidence{Limits: &limit.Set{Name: c.name}})
		if v.Gate.Failed != c.failed || len(v.Demands) != c.failed || v.Gate.Limits != c.failed {
			t.Errorf("%+v: %+v", c, v.Gate)
		}
	}
}

// TestKeyOfUnitsCounts: a key of people is one limit, whether the limits have it or not, and none where none are asked
// for by name.
func TestKeyOfUnitsCounts(t *testing.T) {
	tab := tabletest.Must(table.NumColumn("x", 1, []float64{1, 1, 2, 2, 3, 3}))
	of := limit.KeyOfUnits()
	for _, c := range []struct {
		set  limit.Set
		want int
	}{
		{limit.Set{Name: "test"}, 1},
		{limit.Set{Name: "test", Limits: []limit.Limit{*of}}, 1},
		{limit.Set{Name: limit.None}, 0},
	} {
		v := Judge(&Outcome{Original: tab, Released: tab, People: []int32{0, 0, 1, 1, 2, 2},
			Changes: []Change{{Column: "x", Changed: 0.04}}}, Evidence{Limits: &c.set})
		if v.Gate.Limits != c.want || len(v.Demands) != c.want {
			t.Errorf("%s with %d limits: %+v, %d demands", c.set.Name, len(c.set.Limits), v.Gate, len(v.Demands))
		}
	}
}

// TestDriftAsksForCare: a column that moved, more than chance does, is looked at.
func TestDriftAsksForCare(t *testing.T) {
	for chance, want := range map[float64]State{0.01: WithCare, 0.2: Meets} {
		r := &drift.Report{}
		r.Columns = append(r.Columns, drift.Shift{Name: "x",
			Figure: drift.Figure{PSI: 0.15, Chance: chance, State: drift.Watch}})
		v := Judge(&Outcome{Drift: r, Measures: both(0, 0)}, Evidence{Binding: []string{"bound"},
			Limits: &limit.Set{Name: "test", Limits: []limit.Limit{bounds("found", math.NaN(), 0.09, false)}}})
		if v.State != want {
			t.Errorf("chance %v: %s", chance, v.State)
		}
	}
}

// TestMoreAtTheEnds: those who must be tried may be all that there are; nobody is asked to try none.
func TestMoreAtTheEnds(t *testing.T) {
	for m, want := range map[More]string{
		{IfNone: 0, Most: 10}:                             "demand.few",
		{IfNone: 11, Most: 10}:                            "demand.more.tooFew",
		{IfNone: 10, AtThisRate: 10, Most: 10}:            "demand.more.found",
		{IfNone: 5, AtThisRate: 10, Kept: true, Most: 10}: "demand.rate.kept",
		{IfNone: 5, AtThisRate: 11, Kept: true, Most: 10}: "demand.rate.never",
		{IfNone: 5, Most: 10}:                             "demand.rate.never",
	} {
		if got := m.words(20, table.OfPerson, "demand.more.found").Key(); got != want {
			t.Errorf("%+v: %s, want %s", m, got, want)
		}
	}
	l, m := bounds("learned", math.NaN(), 0.09, false), figured("learned", "a", 0.075, 0.06, 0.1)
	m.Value.Detail = assault{Right: 75, Tried: 1000, People: 9000, Secret: "class"}
	if more, _ := attempts(&l, &m); more != nil {
		t.Errorf("a share beyond a control is taken for one: %+v", more)
	}
}

// losing is a plan that takes so many records away.
type losing struct {
	protect.Plan
	lost int
}

func (p losing) Suppressed(_, _ *table.Table, _ []param.Value) (lost, most int) { return p.lost, 5 }

// TestExcessOf: as many as may be suppressed are no excess.
func TestExcessOf(t *testing.T) {
	tab := tabletest.Must(table.NumColumn("x", 1, []float64{1, 2}))
	if x := ExcessOf(losing{lost: 5}, tab, tab, nil); x != nil {
		t.Errorf("%+v", x)
	}
	if x := ExcessOf(losing{lost: 6}, tab, tab, nil); x == nil || *x != (Excess{6, 5, 2}) {
		t.Errorf("%+v", x)
	}
}

// TestUntouchedNeedsPairs: nothing is left alone where rows are not paired, or are recoded; and a record that a kept
// column tells from all others is exchanged with its segment.
func TestUntouchedNeedsPairs(t *testing.T) {
	var id, was, is []float64
	for i := range 40 {
		id, was, is = append(id, float64(i)), append(was, float64(i)), append(is, float64((i+7)%40))
		if i < 20 {
			is[i] = was[i]
		}
	}
	of := func(x []float64, n int) *table.Table {
		return tabletest.Must(table.NumColumn("id", 1, id[:n]), table.NumColumn("x", 1, x[:n]))
	}
	changes := []Change{{Column: "id", Changed: 0}, {Column: "x", Changed: 0.5}}
	for name, c := range map[string]struct {
		o    Outcome
		want int
	}{
		"paired":        {Outcome{Original: of(was, 40), Released: of(is, 40), Changes: changes}, 20},
		"a record less": {Outcome{Original: of(was, 40), Released: of(is, 39), Changes: changes}, 0},
		"generalised":   {Outcome{Original: of(was, 40), Released: of(is, 40), Changes: changes, Generalised: true}, 0},
	} {
		if n := untouched(&c.o); n != c.want {
			t.Errorf("%s: %d, want %d", name, n, c.want)
		}
	}
	if n, err := LeftAlone(&Outcome{}, nil); n != 0 || err != nil {
		t.Errorf("of no tables: %d, %v", n, err)
	}
	if n := leftAlone(t, of(was, 40), of(is, 40), nil); n != 20 {
		t.Errorf("%d of 20 are said to be left alone", n)
	}
}
