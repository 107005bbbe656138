package ranking

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// trial is a setting with its figures: accuracy in per cent, alikeness in [0, 1], linkage as a share.
type trial struct {
	name     string
	baseline bool
	accuracy float64
	alike    float64
	linkage  float64
}

// compared makes a comparison of one or more data sets in which every figure has an interval of the given half width,
// as a share of its scale.
func compared(half float64, sets int, trials ...trial) *study.Comparison {
	all := table.Interval{Lo: 0, Hi: 1}
	c := &study.Comparison{
		Folds:    10,
		Repeats:  1,
		Settings: []study.Compared{{Name: study.OriginalSetting}},
		Measures: []study.Criterion{
			{
				Card:   card.Card{Name: "accuracy"},
				Facts:  measure.Facts{Leads: true},
				Label:  "accuracy",
				Side:   measure.Utility,
				Better: measure.Higher,
				Range:  table.Interval{Lo: 0, Hi: 100},
				Unit:   measure.In(measure.Percent, message.Say("unit.ofRecords")),
			},
			{
				Card:   card.Card{Name: "alike"},
				Label:  "alike",
				Side:   measure.Utility,
				Better: measure.Higher,
				Range:  all,
				Unit:   measure.In(measure.Ratio, message.Say("unit.similarity")),
			},
			{
				Card:   card.Card{Name: "linkage"},
				Label:  "linkage k=3 (knows all)",
				Varied: "k=3",
				Who:    "knows all",
				Side:   measure.Risk,
				Better: measure.Lower,
				Range:  all,
				Unit:   measure.In(measure.Share, message.Say("unit.ofRecords")),
			},
		},
	}
	for _, t := range trials {
		c.Settings = append(c.Settings, study.Compared{Name: t.name, Method: &card.Card{Name: t.name, Baseline: t.baseline}})
	}
	for d := range sets {
		c.Data = append(c.Data, study.Studied{Name: string(rune('A' + d))})
		for s, t := range append([]trial{{accuracy: 95, alike: 1, linkage: 1}}, trials...) {
			for m, v := range []float64{t.accuracy, t.alike, t.linkage} {
				h := half * []float64{100, 1, 1}[m]
				c.Summaries = append(c.Summaries,
					study.Summary{Data: d, Setting: s, Measure: m, Mean: v, Lo: v - h, Hi: v + h, Cells: 10})
			}
		}
	}
	return c
}

func contest(t *testing.T, c *study.Comparison, opt Options) *Contest {
	t.Helper()
	return must.Get(New(c, opt))(t)
}

// names writes entrants by the names of their settings.
func names(c *study.Comparison, es []Entrant) string {
	var out []string
	for _, e := range es {
		out = append(out, c.Settings[e.Setting].Name)
	}
	return strings.Join(out, " ")
}

func TestScale(t *testing.T) {
	c := compared(0.001, 1, trial{"a", false, 90, 0.9, 0.2})
	c.Measures = append(
		c.Measures,
		study.Criterion{
			Card:   card.Card{Name: "entropy"},
			Label:  "entropy",
			Better: measure.Higher,
			Unit:   measure.In(measure.Bits, message.Say("unit.bits")),
		},
	)
	c.Summaries = append(c.Summaries, study.Summary{Measure: 3, Mean: -7},
		study.Summary{Measure: 3, Part: "of a column", Mean: 99}, study.Summary{Measure: 3, Mean: math.Inf(1)})
	k := contest(t, c, Options{})
	if s := k.Scales[2]; s.Factor != 100 || s.Lo != 0 || s.Hi != 100 || s.Margin != 1 || s.Largest != 100 ||
		s.Varied != "k=3" ||
		s.Who != "knows all" ||
		s.Higher() {
		t.Errorf("linkage: %+v", s)
	}
	if s := k.Scales[3]; s.Factor != 1 || !math.IsInf(s.Lo, -1) || !math.IsInf(s.Hi, 1) || s.Largest != 7 ||
		s.Margin != 0.07 ||
		s.Varied+s.Who != "" {
		t.Errorf("entropy, without bounds: %+v", s)
	}
	acc := &k.Scales[0]
	for _, r := range []struct {
		a, b Estimate
		want Relation
	}{{within(90, 1), within(80, 1), Ahead}, {within(80, 1), within(90, 1), Behind},
		{within(90, 1), within(90.5, 0), Level}, {Nothing(), within(1, 0), NotTold},
		{within(90, 0), within(90.9, 0), Level}} {
		if got := acc.Relate(r.a, r.b); got != r.want {
			t.Errorf("%v to %v: %v, want %v", r.a, r.b, got, r.want)
		}
	}
	if !acc.Beats(2, 1) || k.Scales[2].Beats(2, 1) {
		t.Error("higher accuracy and lower linkage are better")
	}
}

// TestOver compares the mean over data sets and its interval with figures worked out by hand.
func TestOver(t *testing.T) {
	c := compared(0, 2, trial{name: "a"})
	for i := range c.Summaries {
		if s := &c.Summaries[i]; s.Setting == 1 && s.Measure == 0 {
			*s = study.Summary{
				Data:    s.Data,
				Setting: 1,
				Mean:    80 + 10*float64(s.Data),
				Lo:      77 + 9*float64(s.Data),
				Hi:      83 + 11*float64(s.Data),
			}
		}
	}
	k := contest(t, c, Options{})
	// Half intervals 3 and 4: together sqrt(9 + 16) / 2.
	if got := k.Over(k.Utility, 1); got != (Estimate{Mean: 85, Lo: 82.5, Hi: 87.5}) {
		t.Errorf("got %v, want 85 within 82.5 to 87.5", got)
	}
	if got := k.At(k.Utility, 1, 1); got.Mean != 90 || got != k.At(k.Utility, 1, 1) {
		t.Errorf("on the second data set %v, want 90", got)
	}
	if k.Figure(k.Utility, 2, 1) != nil || k.At(k.Utility, 2, 1).Known() {
		t.Error("there is a figure on a data set that is not there")
	}
	for i := range c.Summaries {
		if s := &c.Summaries[i]; s.Setting == 1 && s.Data == 1 {
			s.Mean = math.NaN()
		}
	}
	if k.Over(k.Utility, 1).Known() {
		t.Error("a setting that failed on one data set has a mean over both")
	}
}

func TestAxes(t *testing.T) {
	c := compared(0.001, 1, trial{"a", false, 90, 0.9, 0.2}, trial{"b", false, 80, 0.95, 0.1})
	for _, w := range []struct {
		opt           Options
		utility, risk string
	}{{Options{}, "accuracy", "linkage k=3 (knows all)"}, {Options{Utility: "ALIKE"}, "alike", "linkage k=3 (knows all)"},
		{Options{Risk: "Linkage K=3 (knows all)"}, "accuracy", "linkage k=3 (knows all)"},
		{Options{Risk: "alike"}, "accuracy", "alike"}} {
		if k := contest(t, c, w.opt); k.Utility.Label != w.utility || k.Risk.Label != w.risk {
			t.Errorf("%+v: %s and %s, want %s and %s", w.opt, k.Utility.Label, k.Risk.Label, w.utility, w.risk)
		}
	}
	led := *c
	led.Measures = slices.Clone(c.Measures)
	led.Measures[0].Leads, led.Measures[1].Leads = false, true
	if k := contest(t, &led, Options{}); k.Utility.Label != "alike" {
		t.Errorf("%s is on the axis, not the measure that leads", k.Utility.Label)
	}
	var unknown *UnknownMeasure
	if _, err := New(c, Options{Utility: "pain"}); !errors.As(err, &unknown) || unknown.Name != "pain" ||
		len(unknown.Known) != 3 ||
		!strings.Contains(err.Error(), `"pain", it has accuracy, alike`) {
		t.Errorf("an unknown measure gives %v", err)
	}
	for _, empty := range []*study.Comparison{nil, {}, {Settings: c.Settings}, {Data: c.Data}} {
		if _, err := New(empty, Options{}); err == nil {
			t.Error("an empty comparison is accepted")
		}
	}
}

// TestStrongest: of a risk against two intruders the map has the one to whom more is exposed, unless it tells no
// settings apart.
func TestStrongest(t *testing.T) {
	for _, w := range []struct {
		name        string
		first, more float64 // what the second intruder links more
		want        int
	}{{"the second links more", 0.2, 0.1, 3}, {"the first links more", 0.2, -0.05, 2},
		{"the second tells nothing apart", 0, 0.9, 2}} {
		c := compared(0.001, 1, trial{"a", false, 90, 0.9, 0.2}, trial{"b", false, 80, 0.9, 0.1})
		c.Measures = append(c.Measures, c.Measures[2])
		c.Measures[3].Label, c.Measures[3].Who = "linkage k=3 (knows little)", "knows little"
		for _, s := range c.Summaries {
			if s.Measure == 2 {
				s.Measure = 3
				if w.first == 0 {
					s.Mean = 0
				}
				s.Mean, s.Lo, s.Hi = s.Mean+w.more, s.Mean+w.more-0.001, s.Mean+w.more+0.001
				c.Summaries = append(c.Summaries, s)
			}
		}
		if k := contest(t, c, Options{}); k.Risk.Index != w.want {
			t.Errorf("%s: the axis is %s", w.name, k.Risk.Label)
		}
		if k := contest(t, c, Options{Risk: "linkage k=3 (knows little)"}); k.Risk.Index != 3 {
			t.Errorf("%s: the intruder asked for is not on the axis", w.name)
		}
	}
}

func TestRank(t *testing.T) {
	c := compared(0.001, 1, trial{"poor", false, 60, 0.5, 0.5}, trial{"base", true, 94, 0.99, 0},
		trial{"good", false, 93, 0.9, 0.4}, trial{"safe", false, 70, 0.6, 0.1})
	k := contest(t, c, Options{})
	if got := names(c, k.Entrants); got != "good safe poor base" {
		t.Errorf("order %s", got)
	}
	want := map[string]struct {
		standing Standing
		by       int
	}{"good": {Frontier, 0}, "safe": {Frontier, 0}, "poor": {Dominated, 3}, "base": {Aside, 0}}
	for _, e := range k.Entrants {
		name := c.Settings[e.Setting].Name
		if w := want[name]; e.Standing != w.standing || e.BeatenBy != w.by || k.Strong(e) != (w.standing == Frontier) {
			t.Errorf("%s: %+v", name, e)
		}
	}
	if got := names(c, k.Candidates()); got != "good safe poor" {
		t.Errorf("candidates %s", got)
	}
	if best, clear := k.Best(&k.Scales[0], -1); best != 0 || !clear {
		t.Errorf("best %d, clear %v: the baseline counts, or the order does not", best, clear)
	}
	if best, _ := k.Best(&k.Scales[2], 0); names(c, k.Entrants[best:best+1]) != "safe" {
		t.Error("the safest of the candidates is not found")
	}
	if m := k.Map(0); m.Points[1].Y.Mean != 94 || !m.Points[1].Aside || m.Points[0].X.Mean != 50 {
		t.Errorf("the map is not in the order of the settings: %+v", m.Points)
	}
	c.Summaries = nil
	k = contest(t, c, Options{})
	if best, clear := k.Best(&k.Scales[0], -1); best != -1 || clear {
		t.Error("there is a best without figures")
	}
}

// TestRiskOfOne: where one candidate is left, which nothing tells apart from others, the risk is one that has a value
// for it, the people found before the rest.
func TestRiskOfOne(t *testing.T) {
	c := finding(compared(0.001, 1, trial{"a", false, 94, 0.9, 0.05}, trial{"b", false, 80, 0.9, 0.5}), 0.01)
	empty, other := c.Measures[2], c.Measures[2]
	empty.Label, empty.Name, empty.Finds = "nothing", "nothing", false
	other.Label, other.Name, other.Finds = "other", "other", false
	c.Measures = append(c.Measures[:2:2], empty, other, c.Measures[2])
	for i := range c.Summaries {
		if s := &c.Summaries[i]; s.Measure == 2 {
			s.Measure = 4
			next := *s
			next.Measure = 3
			c.Summaries = append(c.Summaries, next)
		}
	}
	for i := range c.Cells {
		c.Cells[i].Scores = []study.Score{{}, {}, {Err: message.Text("none")}, {}, c.Cells[i].Scores[2]}
	}
	if k := contest(t, c, Options{}); k.Risk.Label != "found (knows the quasi-identifiers)" || len(k.Candidates()) != 1 {
		t.Errorf("the risk is %s of %d candidates", k.Risk.Label, len(k.Candidates()))
	}
}

// TestAxesOfWhatApplies: a measure that leads and has no value, as that of rules has none without a class, is on no
// axis; and the risk is one that a limit holds against, though another tells the candidates apart as well.
func TestAxesOfWhatApplies(t *testing.T) {
	c := compared(0.001, 1, trial{"a", false, 90, 0.9, 0.05}, trial{"b", false, 80, 0.95, 0.02})
	for i := range c.Summaries {
		if s := &c.Summaries[i]; s.Measure == 0 {
			*s = study.Summary{Data: s.Data, Setting: s.Setting, Mean: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Failed: 10}
		}
	}
	if k := contest(t, c, Options{}); k.Utility.Label != "alike" {
		t.Errorf("%s is on the axis, which has no value", k.Utility.Label)
	}
	c = finding(compared(0.001, 1, trial{"a", false, 90, 0.9, 0.05}, trial{"b", false, 80, 0.95, 0.02}), 0.01)
	k := contest(t, c, Options{})
	if most := k.LimitOf(k.Risk); !k.Risk.Finds || most != 9 {
		t.Errorf("%s is on the axis, where the limits allow %v", k.Risk.Label, most)
	}
}
