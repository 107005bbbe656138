package posterior

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/additivenoise"
	"github.com/dither-data/dither/protect/gadp"
	"github.com/dither-data/dither/protect/rnat"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// plan is a step with a law for some cells.
type plan struct {
	columns []string
	law     func(j int, s *segment.Segment, row int) noisemodel.Kernel // nil for a cell that is left alone
}

func (p plan) Changes() []string { return p.columns }

func (p plan) Schema() []table.Attribute { return []table.Attribute{{Name: "x"}} }

func (p plan) Law(j int) (noisemodel.Column, bool) {
	return func(s *segment.Segment, _ *table.Table, row int) noisemodel.Kernel {
		if k := p.law(j, s, row); k != nil {
			return k
		}
		return noisemodel.Kept{}
	}, true
}

// TestLawlessPlan: a plan that changes a column and has a law for none of its cells does not leave the column alone.
// With pairs the release is as risky as for who goes by distances; not perfectly safe.
func TestLawlessPlan(t *testing.T) {
	tab := wide(t, 300)
	for name, m := range map[string]protect.Method{"C-GADP": gadp.CGADP, "shuffling": gadp.Shuffle} {
		// With little security every value stays nearly where it is.
		r := released(t, tab, m, map[string]string{"security": "0.1"})
		got := study(t, r, options(), "n0", "n1")
		guess := study(t, &measure.Release{Original: r.Original, Released: r.Released, Paired: true}, options(), "n0", "n1")
		if !slices.Equal(got.H, guess.H) ||
			!strings.Contains(strings.Join(message.Written(got.Notes), "\n"), "the noise seen in the pairs") {
			t.Errorf("%s: the first person has %v bits, by distances %v; notes %q", name, got.H[0], guess.H[0], got.Notes)
		}
		if mean := mean(got.H); mean > math.Log2(300)-1 {
			t.Errorf("%s: %v bits are left of values that hardly change", name, mean)
		}
	}
}

func mean(v []float64) (m float64) {
	for _, x := range v {
		m += x / float64(len(v))
	}
	return m
}

// TestSomeCells: a plan with a law for some cells, by sub-domain or record, leaves the others as they are.
func TestSomeCells(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("x", 1, []float64{1, 2, 3, 4}))
	for name, of := range map[string]func(int, *segment.Segment, int) noisemodel.Kernel{
		"where the column is tested": func(j int, s *segment.Segment, _ int) noisemodel.Kernel {
			if s.Influential(j) {
				return anything{}
			}
			return nil
		},
		"one record": func(_ int, _ *segment.Segment, row int) noisemodel.Kernel {
			if row == 3 {
				return anything{}
			}
			return nil
		},
	} {
		s := study(
			t,
			&measure.Release{
				Original: tab,
				Released: tab,
				Paired:   true,
				Making:   measure.Making{Mechanisms: []noisemodel.Mechanism{plan{[]string{"x"}, of}}},
			},
			options(),
			"x",
		)
		if s.H[0] != 0 || s.Own[0] != 1 || s.Unfit != 0 {
			t.Errorf("%s: a value that is left alone leaves %v bits", name, s.H[0])
		}
	}
}

// TestLaterStep: a later step that changes a column without a law takes the law of an earlier one out of force.
func TestLaterStep(t *testing.T) {
	tab := tabletest.Of(t, table.NumColumn("x", 1, []float64{1, 2, 3, 4}))
	first := plan{[]string{"x"}, func(int, *segment.Segment, int) noisemodel.Kernel { return noisemodel.Kept{} }}
	r := &measure.Release{
		Original: tab,
		Released: tab,
		Making:   measure.Making{Mechanisms: []noisemodel.Mechanism{first, lawless{"x"}}},
	}
	s := study(t, r, options(), "x")
	if s.H[0] != 2 || !strings.Contains(strings.Join(message.Written(s.Notes), "\n"), "may be understated") {
		t.Errorf("%v bits, notes %q", s.H[0], s.Notes)
	}
	r = &measure.Release{
		Original: tab,
		Released: tab,
		Making:   measure.Making{Mechanisms: []noisemodel.Mechanism{lawless{"x"}, first}},
	}
	if s := study(t, r, options(), "x"); s.H[0] != 0 {
		t.Errorf("the last step has a law, and leaves %v bits", s.H[0])
	}
}

// TestUnfit: persons whom the law fits to no released record are counted, keep a release from counting as secure, and
// are judged by the pairs. Without pairs many are an error: the plan is then another release's, unless the persons are
// missing from it.
func TestUnfit(t *testing.T) {
	v := make([]float64, 100)
	for i := range v {
		v[i] = float64(10 * i)
	}
	tab := tabletest.Of(t, table.NumColumn("x", 1, v))
	leave := plan{[]string{"x"}, func(int, *segment.Segment, int) noisemodel.Kernel { return noisemodel.Kept{} }}
	for _, c := range []struct {
		unfit  int
		paired bool
		rows   int // released
		fails  bool
	}{{0, true, 100, false}, {1, true, 100, false}, {5, true, 100, false}, {6, true, 100, false}, {6, false, 100, true},
		{60, false, 40, false}, {100, true, 100, false}} {
		moved := slices.Clone(v)
		for i := range moved[:min(c.unfit, c.rows)] {
			moved[i] += 3
		}
		if c.rows < 100 {
			moved = slices.Clone(v[100-c.rows:])
		}
		r := &measure.Release{
			Original: tab,
			Released: tabletest.Of(t, table.NumColumn("x", 1, moved)),
			Paired:   c.paired,
			Making:   measure.Making{Mechanisms: []noisemodel.Mechanism{leave}},
		}
		r.Intruder = &intruder.Intruder{Name: "test", Knows: []string{"x"}, Secret: []string{}}
		s, err := Of(context.Background(), r, options())
		if (err != nil) != c.fails || c.fails && !strings.Contains(err.Error(), "the plan does not fit this release") {
			t.Errorf("%d unfit of 100, paired %v: error %v", c.unfit, c.paired, err)
		}
		if err != nil {
			continue
		}
		if c.paired && c.unfit > 0 && (s.H[0] > math.Log2(100)-0.5 || s.Riskiest.P[0] != slices.Max(s.Best)) {
			t.Errorf("%d unfit of 100: %v bits of doubt where the pairs tell more; suspects %v", c.unfit, s.H[0],
				s.Riskiest.P[:2])
		}
		rule := Rule{Threshold: 0, V: 1}
		sum := rule.Judge(s, s.H, 100)
		noted := strings.Contains(strings.Join(message.Written(s.Notes), "\n"), "fits no released record for ")
		if s.Unfit != c.unfit || sum.Secure != (c.unfit == 0) || noted != (c.unfit > 0) {
			t.Errorf("%d unfit of 100: counted %d, secure %v, notes %q", c.unfit, s.Unfit, sum.Secure, s.Notes)
		}
		if text := sum.Value(s.H, 100).Notes[0]; strings.HasPrefix(text.String(), "at most") != (c.unfit == 0) {
			t.Errorf("%d unfit of 100: %q", c.unfit, text)
		}
	}
}

// TestJudge: the share of a sample counts with the upper end of Wilson's interval. Of 100 with none below it is
// z²/(100+z²) = 0.0370; with 3 below it is 0.0845 (Newcombe 1998's formula 3, by hand).
func TestJudge(t *testing.T) {
	h := slices.Repeat([]float64{5}, 100)
	rule := Rule{Threshold: 1, V: 0.05}
	if s := rule.Judge(&Study{}, h, 1000); math.Abs(s.Upper-0.0370) > 1e-4 || !s.Secure {
		t.Errorf("%+v", s)
	}
	h[0], h[1], h[2] = 0, 0, 0
	s := rule.Judge(&Study{}, h, 1000)
	if math.Abs(s.Upper-0.0845) > 1e-4 || s.Secure || s.Value(h, 1000).Notes[0].String() != "it is not shown that at "+
		"most 5 % of the people are below 1 bits: 3 % of those tried, of all perhaps 8.5 %" {
		t.Errorf("%+v, notes %q", s, s.Value(h, 1000).Notes)
	}
	if s := rule.Judge(&Study{}, h, 100); s.Upper != 0.03 || !s.Secure {
		t.Errorf("all persons: %+v", s)
	}
}

// TestHow says why the law of the noise is not known: no plan was given, or the intruder does not know the technique.
func TestHow(t *testing.T) {
	r := released(t, wide(t, 50), rnat.Method, nil)
	r.Intruder = &intruder.Intruder{Name: "neighbour", Knows: []string{"n0"}, Secret: []string{}, Unaware: true}
	s, err := Of(context.Background(), r, options())
	if err != nil || !strings.Contains(s.How.String(), `because the intruder "neighbour" does not know the technique`) {
		t.Errorf("how %q, error %v", s.How, err)
	}
	if s := study(t, &measure.Release{Original: r.Original, Released: r.Released, Paired: true}, options(),
		"n0"); !strings.Contains(s.How.String(), "because no plan was given") {
		t.Errorf("how %q", s.How)
	}
}

// TestStepAfterNoise: the joint law of additive noise is out of force for a column that a later step changes.
func TestStepAfterNoise(t *testing.T) {
	r := released(t, wide(t, 60), additivenoise.Correlated, nil)
	before := study(t, r, options(), "n0")
	r.Mechanisms, r.Paired = append(r.Mechanisms, lawless{"n0"}), false
	after := study(t,
		&measure.Release{Original: r.Original, Released: r.Released, Making: measure.Making{Mechanisms: r.Mechanisms}},
		options(), "n0")
	if math.Abs(after.H[0]-math.Log2(60)) > 1e-9 || before.H[0] > math.Log2(60)-0.1 {
		t.Errorf("%v bits with the noise alone, %v with a step after it", before.H[0], after.H[0])
	}
}
