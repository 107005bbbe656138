package search

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// reword turns every small letter of a text into another.
func reword(s string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return 'a' + (r-'a'+13)%26
		}
		return r
	}, s)
}

// reworded is a measure of which every text that is for people is another.
func reworded(m measure.Measure) measure.Measure {
	for _, s := range []*string{&m.Title, &m.Short,
		&m.Summary, &m.Paper, &m.Needs, &m.Preserves, &m.Biases, &m.Exposes, &m.Missing,
		&m.Cost, &m.Shards} {
		*s = reword(*s)
	}
	for _, s := range []*message.Sentence{&m.Unit.Says.Sentence, &m.Unit.Of, &m.Record.Says, &m.Figure.Says} {
		*s = message.Text(reword(s.String()))
	}
	if says := m.Column.Says; says != nil {
		m.Column.Says = func(figure string) message.Sentence { return message.Text(reword(says(figure).String())) }
	}
	m.Losses = slices.Clone(m.Losses)
	for k := range m.Losses {
		m.Losses[k].Says = message.Text(reword(m.Losses[k].Says.String()))
	}
	if uses := m.Uses; uses != nil {
		m.Uses = func(v measure.Value, class message.Sentence) []measure.Use {
			out := slices.Clone(uses(v, class))
			for k := range out {
				for _, s := range []*message.Sentence{&out[k].What, &out[k].Nothing} {
					*s = message.Text(reword(s.String()))
				}
			}
			return out
		}
	}
	meter := m.New
	m.New = func() measure.Meter { return rewordedMeter{meter()} }
	return m
}

type rewordedMeter struct{ measure.Meter }

func (m rewordedMeter) Measure(ctx context.Context, r *measure.Release, src rng.Source) (measure.Value, error) {
	v, err := m.Meter.Measure(ctx, r, src)
	v.Parts, v.Notes = slices.Clone(v.Parts), slices.Clone(v.Notes)
	for k := range v.Parts {
		v.Parts[k].Name = message.Text(reword(v.Parts[k].Name.String()))
	}
	for k := range v.Notes {
		v.Notes[k] = message.Text(reword(v.Notes[k].String()))
	}
	return v, err
}

// judged is a verdict without its words.
type judged struct {
	state   study.State
	gate    study.Gate
	demands []study.Standing
	reasons []study.State
	columns []string
	uses    [2]int
	open    int
}

// judge measures a release by all fast measures, and holds it against the default limits.
func judge(t *testing.T, ms []measure.Measure, rel *measure.Release) judged {
	t.Helper()
	var specs []study.Spec
	for _, m := range ms {
		if m.Effort == measure.Fast {
			specs = append(specs, study.Spec{Measure: m, Set: m.Bounds})
		}
	}
	o := &study.Outcome{Original: rel.Original, Released: rel.Released, Changes: study.Differences(rel)}
	var err error
	if o.Measures, err = study.Evaluate(t.Context(), rel, study.Against(specs, intruder.Defaults(rel.Original.Attrs())),
		rng.New([32]byte{2}), nil); err != nil {
		t.Fatal(err)
	}
	set := must.Get(limit.Preset("default"))(t)
	v := study.Judge(o, study.Evidence{Limits: set, Partial: true})
	out := judged{state: v.State, gate: v.Gate, uses: [2]int{len(v.GoodFor), len(v.NotFor)}, open: len(study.Limits(o))}
	for _, d := range v.Demands {
		out.demands = append(out.demands, d.Standing)
	}
	for _, r := range v.Reasons {
		out.reasons, out.columns = append(out.reasons, r.State), append(out.columns, r.Columns...)
	}
	return out
}

// TestWordsDecideNothing: with every title, unit, note, figure, remedy and purpose of every measure in other words, all
// is as it was: what can be lost, how much is, what is chosen, and the verdict with its reasons.
func TestWordsDecideNothing(t *testing.T) {
	was := catalog.Measures()
	var other []measure.Measure
	for _, m := range was {
		other = append(other, reworded(m))
	}
	v := newValues(long.Of(200, 400))
	quasi := func(w *values) *table.Table {
		of := w.table()
		for j := range 4 {
			a := *of.Attr(j)
			a.Role = table.Quasi
			of = of.WithAttr(j, a)
		}
		return of
	}
	moved := v.clone()
	turn(moved.y, many)
	moved.turn(moved.mood, few)
	rel := func() *measure.Release {
		return &measure.Release{Original: quasi(v), Released: quasi(moved), Paired: true}
	}
	a, b := judge(t, was, rel()), judge(t, other, rel())
	if a.state != b.state || !reflect.DeepEqual(a.gate, b.gate) || !slices.Equal(a.demands, b.demands) ||
		!slices.Equal(a.reasons, b.reasons) ||
		!slices.Equal(a.columns, b.columns) ||
		a.uses != b.uses ||
		a.open != b.open {
		t.Errorf("in other words the verdict is\n%+v, which was\n%+v", b, a)
	}
	if len(a.demands) < 2 || a.uses[0]+a.uses[1] < 3 {
		t.Errorf("the verdict tells little: %+v", a)
	}
	names, own := LossNames(), lossesByName
	lost := map[string]float64{}
	for _, name := range names {
		_, _, bad := releases(name)
		lost[name], _ = lostOf(t, name, bad)
	}
	lossesByName = func() map[string]loss { return lossesOf(other) }
	defer func() { lossesByName = own }()
	if !slices.Equal(names, LossNames()) {
		t.Errorf("in other words a release can lose %v", LossNames())
	}
	for _, name := range names {
		_, mild, bad := releases(name)
		if got, can := lostOf(t, name, bad); got != lost[name] || !can {
			t.Errorf("%s: in other words %v is lost, which was %v", name, got, lost[name])
		}
		if chosenOf(t, name, []*measure.Release{bad, mild}) != 1 {
			t.Errorf("%s: in other words another release is chosen", name)
		}
	}
}
