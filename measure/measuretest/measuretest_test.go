package measuretest

import (
	"context"
	"errors"
	"math"
	"runtime"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// changed is a sound measure: the share of the records that differ in a column.
type changed struct{ column int }

func (m *changed) Params() param.Set {
	return param.Set{param.Int(&m.column, "column", 0, 0, 5, "", "which column is compared")}
}

func (m *changed) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	if err := r.CheckPaired(); err != nil {
		return measure.Value{}, err
	}
	if r.Original.Rows() == 0 || m.column >= r.Original.Width() || r.Original.Attr(m.column).Kind != table.Numeric {
		return measure.Value{}, errors.New("nothing to compare")
	}
	n := 0
	for i, v := range r.Original.Num(m.column) {
		if w := r.Released.Num(m.column)[i]; v != w && !(v != v && w != w) {
			n++
		}
	}
	return measure.Exact(float64(n)/float64(r.Original.Rows()), nil), ctx.Err()
}

func sound() measure.Measure {
	return measure.Measure{
		Card: card.Card{
			Name:    "changed",
			Title:   "Changed",
			Summary: "share of changed values",
			Paper:   "none",
			Missing: "equal to missing",
			Cost:    "O(n)",
		},
		Facts: measure.Facts{About: measure.Worth, Effort: measure.Fast},
		Side:  measure.Utility, Better: measure.Lower, Range: table.Interval{Hi: 1},
		Unit: measure.In(measure.Share, message.Sentence{}),
		New:  func() measure.Meter { return &changed{} },
	}
}

// bent is the sound measure with one thing wrong.
type bent struct {
	changed
	params param.Set
	bend   bend
}

// bend changes what a measure gives.
type bend func(context.Context, *measure.Release, measure.Value, error) (measure.Value, error)

func (b *bent) Params() param.Set {
	if b.params != nil {
		return b.params
	}
	return b.changed.Params()
}

func (b *bent) Measure(ctx context.Context, r *measure.Release, src rng.Source) (measure.Value, error) {
	v, err := b.changed.Measure(ctx, r, src)
	if b.bend == nil {
		return v, err
	}
	return b.bend(ctx, r, v, err)
}

func writes(_ context.Context, r *measure.Release, v measure.Value, err error) (measure.Value, error) {
	r.Released.Num(0)[0]++
	return v, err
}

func counts(calls *int) bend {
	return func(_ context.Context, _ *measure.Release, v measure.Value, err error) (measure.Value, error) {
		*calls++
		v.Notes = make([]message.Sentence, *calls)
		return v, err
	}
}

func forgetsContext(_ context.Context, _ *measure.Release, v measure.Value, _ error) (measure.Value, error) {
	return v, nil
}

func divides(_ context.Context, r *measure.Release, v measure.Value, err error) (measure.Value, error) {
	if r.Original.Rows() == 0 {
		return measure.Exact(math.NaN(), nil), nil
	}
	return v, err
}

func details(_ context.Context, _ *measure.Release, v measure.Value, err error) (measure.Value, error) {
	v.Detail = struct{ X float64 }{math.Inf(1)}
	return v, err
}

func TestSoundMeasurePasses(t *testing.T) { Run(t, sound()) }

// TestChecksFail shows that every check catches what it is for.
func TestChecksFail(t *testing.T) {
	score := func(f func(float64) float64) bend {
		return func(_ context.Context, _ *measure.Release, v measure.Value, err error) (measure.Value, error) {
			v.Score = f(v.Score)
			return v, err
		}
	}
	var x int
	for _, c := range []struct {
		check string
		meter bent
	}{
		{"bad parameters are refused", bent{params: param.Set{param.Int(&x, "x", 1, 0, 5, "", "starts at 0, not at its "+
			"default")}}},
		{"bad parameters are refused", bent{params: param.Set{param.Int(&x, "x", 0, 0, 5, "", "")}}},
		{"score and bounds are in range", bent{bend: score(func(s float64) float64 { return s + 1 })}},
		{"score and bounds are in range", bent{bend: score(func(s float64) float64 { return s / 2 })}},
		{"score and bounds are in range", bent{bend: score(func(float64) float64 { return math.NaN() })}},
		{"input is untouched", bent{bend: writes}},
		{"same seed, same value, on any number of cores", bent{bend: counts(new(int))}},
		{"ends with its context", bent{bend: forgetsContext}},
		{"identical tables give the perfect value", bent{bend: score(func(float64) float64 { return 0.5 })}},
		{"odd tables give a value or an error", bent{bend: divides}},
		{"value encodes to JSON", bent{bend: details}},
	} {
		m := sound()
		m.New = func() measure.Meter { b := c.meter; return &b }
		if err := find(t, c.check).run(newSuite(m, nil)); err == nil {
			t.Errorf("%s: a broken measure passes", c.check)
		}
	}
	m := sound()
	m.Unit = measure.Unit{}
	if find(t, "card is filled").run(newSuite(m, nil)) == nil {
		t.Error("a measure without unit passes")
	}
}

// TestShardsFail: a measure that says that it works on tables larger than the memory is held to it, and one that does
// not is not.
func TestShardsFail(t *testing.T) {
	elsewhere := func(_ context.Context, r *measure.Release, v measure.Value, err error) (measure.Value, error) {
		if r.Original.Space() != nil {
			v.Notes = append(v.Notes, message.Name("it is on the disk"))
		}
		return v, err
	}
	var room []int8
	grows := func(_ context.Context, r *measure.Release, v measure.Value, err error) (measure.Value, error) {
		room = make([]int8, r.Original.Rows())
		return v, err
	}
	const name = "tables larger than the memory have the same figure"
	for what, c := range map[string]struct {
		bend   bend
		shards string
		fails  bool
	}{
		"sound": {nil, measure.FromCounts, false}, "another figure": {elsewhere, measure.FromCounts, true},
		"the heap grows": {grows, measure.FromCounts, long.Enabled()}, "no promise": {elsewhere, "", false},
	} {
		m := sound()
		m.Shards, m.New = c.shards, func() measure.Meter { return &bent{bend: c.bend} }
		if err := find(t, name).run(newSuite(m, nil)); (err != nil) != c.fails && runtime.GOOS == "linux" {
			t.Errorf("%s: %v", what, err)
		}
	}
	_ = room
}

// told is a detail that judges records and speaks.
type told struct {
	Risk []float64
	Text string
}

func (d told) Records() []float64 { return d.Risk }
func (d told) Sentence() string   { return d.Text }

// TestRiskChecksFail shows that what only measures of risk promise is checked.
func TestRiskChecksFail(t *testing.T) {
	telling := func(records int, risk float64, text string) bend {
		return func(_ context.Context, r *measure.Release, v measure.Value, err error) (measure.Value, error) {
			v.Detail = told{repeat(risk, r.Original.Rows()+records), text}
			return v, err
		}
	}
	refusing := func(reason error) bend {
		return func(_ context.Context, r *measure.Release, v measure.Value, err error) (measure.Value, error) {
			if r.Original.MissingAt(0, 0) {
				return v, reason
			}
			return v, err
		}
	}
	for _, c := range []struct {
		check string
		bend  bend
		fails bool
	}{
		{"score and bounds are in range", telling(0, 0.5, "All is well."), false},
		{"score and bounds are in range", telling(0, 0.5, ""), false},
		{"score and bounds are in range", telling(1, 0.5, "All is well."), true},
		{"score and bounds are in range", telling(0, math.Inf(1), "All is well."), true},
		{"score and bounds are in range", telling(0, 0.5, "Of NaN people all."), true},
		{"score and bounds are in range", telling(0, 0.5, "unfinished"), true},
		{"poor tables have a risk", nil, false},
		{"poor tables have a risk", telling(1, 0.5, "All is well."), true},
		{"poor tables have a risk", refusing(errors.New("a value is missing")), true},
		{"poor tables have a risk", refusing(measure.NotApplicable(message.Text("a value is missing"))), false},
	} {
		m := sound()
		m.Side = measure.Risk
		m.New = func() measure.Meter { return &bent{bend: c.bend} }
		if err := find(t, c.check).run(newSuite(m, nil)); (err != nil) != c.fails {
			t.Errorf("%s: %v", c.check, err)
		}
	}
}

func find(t *testing.T, name string) check {
	t.Helper()
	for _, c := range checks {
		if c.name == name {
			return c
		}
	}
	t.Fatalf("no check %q", name)
	return check{}
}

func TestIdentical(t *testing.T) {
	m := sound()
	m.Side = measure.Risk
	if s := newSuite(m, nil); s.identical != nil {
		t.Error("a risk measure must give a value for identical tables")
	}
	if err := identical(newSuite(m, []Option{Identical(0)})); err != nil {
		t.Error(err)
	}
	if identical(newSuite(m, []Option{Identical(1)})) == nil {
		t.Error("the wrong value for identical tables passes")
	}
}

// guessed is the share of the people, or of the records, that a guess finds.
type guessed struct {
	changed
	records bool
}

func (m *guessed) Measure(_ context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	_, n := r.People()
	if m.records {
		n = r.Original.Rows()
	}
	return measure.Exact(1/float64(n), nil), nil
}

// TestCountedFails: a risk that is smaller where everybody has more records is caught, unless the measure says that it
// counts these.
func TestCountedFails(t *testing.T) {
	for _, records := range []bool{false, true} {
		m := sound()
		m.Side, m.About, m.New = measure.Risk, measure.Identity, func() measure.Meter { return &guessed{records: records} }
		if err := find(t, "people are counted").run(newSuite(m, nil)); (err != nil) != records {
			t.Errorf("records %v: %v", records, err)
		}
		m.Counts = measure.Records
		if err := find(t, "people are counted").run(newSuite(m, nil)); err != nil {
			t.Errorf("a measure of records: %v", err)
		}
	}
}
