package anonymity

import (
	"context"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/classes"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// ofShares are the models that bound, class by class, the share that a value of a secret has there (q) by itself or by
// the share that it has in the whole release (p). As in tcloseness, records that agree in all that the intruder knows
// are a class, a missing secret value counts neither in q nor in p, and where somebody has several records each of
// their values counts once in a class. Cost: O(n p + s n log v), as tcloseness.
//
// References: R. C.-W. Wong, J. Li, A. W.-C. Fu and K. Wang, "(α, k)-anonymity: an enhanced k-anonymity model for
// privacy preserving data publishing", KDD 2006, section 2; J. Brickell and V. Shmatikov, "The cost of privacy:
// destruction of data-mining utility in anonymized data publishing", KDD 2008, definition 3; J. Cao and P. Karras,
// "Publishing microdata with a robust privacy guarantee", PVLDB 5, 2012, definitions 2 and 3.
var ofShares = []shareModel{
	// The k is a part. The paper's general model bounds the share of every value.
	{
		Card: card.Card{
			Name:    "alphak",
			Title:   "(alpha, k)-anonymity",
			Aliases: []string{"(α, k)-anonymity", "alpha-k-anonymity", "(alpha,k)-anonymity", "alpha"},
			Summary: "Largest share that one value of a secret has among records that look alike, with the smallest " +
				"number of these.",
			Paper:     "Wong, Li, Fu and Wang 2006, section 2",
			Preserves: "alpha; 1 when a group of records that look alike has one value only",
			Biases:    "a class of one record has an alpha of 1; says nothing of how common a value is in the release",
		},
		to: 1, unit: "unit.ofClass",
		gain: func(in, _ float64) float64 { return in },
		held: func(int, int) bool { return true },
	},
	// By the definition delta is infinite where a class lacks a value that the release has. Delta is taken of the values
	// that a class has, and a part says how many records are in classes that lack some.
	{
		Card: card.Card{
			Name:    "deltadisclosure",
			Title:   "delta-disclosure privacy",
			Aliases: []string{"δ-disclosure privacy", "delta-disclosure", "d-disclosure privacy"},
			Summary: "Largest logarithm of how much more, or less, often a value of a secret occurs among records that " +
				"look alike than in the whole release.",
			Paper:     "Brickell and Shmatikov 2008, definition 3",
			Preserves: "0 when every class has the distribution of the whole release",
			Biases: "infinite by the definition where a class lacks a value; taken of the values that it has, with " +
				"the share of the records in classes that lack some",
		},
		to: math.Inf(1), unit: "unit.naturalLog",
		gain: func(in, all float64) float64 { return math.Abs(portable.Log(in) - portable.Log(all)) },
		held: func(values, all int) bool { return values == all },
	},
	{
		Card: card.Card{
			Name:    "betalikeness",
			Title:   "Basic beta-likeness",
			Aliases: []string{"beta-likeness", "β-likeness", "basic β-likeness"},
			Summary: "Largest relative gain of the share of a secret value among records that look alike over its " +
				"share in the whole release.",
			Paper:     "Cao and Karras 2012, definition 2",
			Preserves: "0 when no value is more common in a class than in the whole release",
			Biases:    "a rare value in a small class has a large beta; a value that becomes rarer is not counted",
		},
		to: math.Inf(1), unit: "unit.relativeGain",
		gain: likeness,
		held: func(int, int) bool { return true },
	},
	// Gains are relative to what the definition allows a value at most, whatever beta: -ln p. Above 1 no beta holds.
	{
		Card: card.Card{
			Name:    "enhancedbetalikeness",
			Title:   "Enhanced beta-likeness",
			Aliases: []string{"enhanced beta-likeness", "enhanced β-likeness"},
			Summary: "Largest gain of the share of a secret value among records that look alike, relative to the gain " +
				"-ln p that any beta allows a value of share p.",
			Paper: "Cao and Karras 2012, definition 3",
			Preserves: "at most 1 when there is a beta for which it holds, the one of betalikeness; 0 when no value " +
				"is more common in a class than in the whole release",
			Biases: "a class of one value has more than 1, whatever the value",
		},
		to: math.Inf(1), unit: "unit.allowedGain",
		gain: func(in, all float64) float64 {
			if g := likeness(in, all); g > 0 {
				return g / -portable.Log(all)
			}
			return 0
		},
		held: func(int, int) bool { return true },
	},
}

// likeness is how much larger the share of a value is in a class, relative to that in the whole (section 3); 0 where it
// is not.
func likeness(in, all float64) float64 { return max(0, (in-all)/all) }

// shareModel is what a model makes of the shares of a value.
type shareModel struct {
	card.Card
	to   float64                           // end of the range
	unit string                            // key
	gain func(in, all float64) float64     // of a value's shares in a class and in the whole
	held func(valuesOfClass, all int) bool // whether the model can hold of a class of so many values
}

// entry is the catalogue entry of a model.
func (k *shareModel) entry() measure.Measure {
	c := k.Card
	c.Needs = "an intruder with a secret attribute; known values that are generalised, suppressed or grouped, not " +
		"changed by noise or swaps"
	c.Missing = "a missing known value is a separate value, or matches every value; a missing secret value is not counted"
	c.Cost = "O(n p + n log n)"
	unit := measure.In(measure.Ratio, message.Say(k.unit))
	if k.to == 1 {
		unit = measure.In(measure.Share, message.Say(k.unit))
	}
	return measure.Measure{
		Card:     c,
		Facts:    measure.Facts{About: measure.Secret, Effort: measure.Fast, Groups: true},
		Side:     measure.Risk,
		Better:   measure.Lower,
		Range:    table.Interval{Lo: 0, Hi: k.to, OpenHi: k.to > 1},
		Unit:     unit,
		Intruder: true,
		New:      func() measure.Meter { return param.Default(&SharesMeter{model: k}) },
	}
}

// SharesMeter measures one of the models of shares.
type SharesMeter struct {
	classes.Options
	model *shareModel
}

// Params declares the parameters.
func (m *SharesMeter) Params() param.Set { return m.Options.Params() }

// SharesSecret is the figure of one secret attribute.
type SharesSecret struct {
	Attribute string  `json:"attribute"`
	Largest   float64 `json:"largest"`
	Mean      float64 `json:"mean"` // over the released records
}

// SharesDetail is the figures of every secret attribute.
type SharesDetail struct {
	Intruder string         `json:"intruder"`
	Released int            `json:"records"`
	Classes  int            `json:"classes"`
	Smallest int            `json:"smallest"` // k
	Lacking  int            `json:"lacking"`  // records, or people, in classes of which the model cannot hold
	Secrets  []SharesSecret `json:"secrets"`

	model *shareModel
	of    int // records, or people
	risk  []float64
}

// Measure returns the largest figure of any class and secret attribute, with a SharesDetail. It fails when the release
// has no records.
func (m *SharesMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	s, err := m.Released(ctx, r)
	if err != nil {
		return measure.Value{}, err
	}
	if len(s.View.Secret) == 0 {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.nothingSecret").
			Name("intruder", s.View.Name))
	}
	d := SharesDetail{Intruder: s.View.Name, Released: len(s.Of), Classes: len(s.Sizes), model: m.model, of: s.Number()}
	d.Smallest = len(s.Of)
	for _, k := range s.Hides {
		d.Smallest = min(d.Smallest, int(k))
	}
	worst, lacks := make([]float64, len(s.Sizes)), make([]bool, len(s.Sizes))
	v := measure.Value{Notes: s.Notes}
	for _, j := range s.View.Secret {
		one, err := m.secret(ctx, s, r.Released, j, worst, lacks)
		if err != nil {
			return measure.Value{}, err
		}
		d.Secrets = append(d.Secrets, one)
		v.Score = max(v.Score, one.Largest)
		v.Parts = append(v.Parts,
			measure.Part{Key: "largest", Of: one.Attribute, Score: one.Largest,
				Name: message.Say("measure.shares.part.largest").Name("column", one.Attribute)},
			measure.Part{Key: "mean", Of: one.Attribute, Score: one.Mean,
				Name: message.Say("measure.shares.part.mean").Name("column", one.Attribute)})
	}
	d.Lacking = s.Count(func(class int32) bool { return lacks[class] })
	v.Parts = append(v.Parts, measure.Part{Key: "smallest-class", Score: float64(d.Smallest),
		Name: message.Say("measure.shares.part.smallest-class")})
	if m.model.Name == "deltadisclosure" {
		v.Parts = append(v.Parts, measure.Part{Key: "lacking", Score: float64(d.Lacking) / float64(d.of),
			Name: message.Say("measure.shares.part.lacking").Part("who", message.Say("measure.who."+s.Word()))})
	}
	d.risk = s.ByRecord(func(class int32) float64 { return worst[class] })
	v.Lo, v.Hi, v.Detail = v.Score, v.Score, d
	return v, nil
}

// secret returns the figures of column j. It raises the classes' largest figure in worst, and marks those of which the
// model cannot hold.
func (m *SharesMeter) secret(
	ctx context.Context, s *classes.Study, t *table.Table, j int, worst []float64, lacks []bool,
) (SharesSecret, error) {
	out := SharesSecret{Attribute: t.Attr(j).Name}
	t, people, err := s.Once(ctx, t, j)
	if err != nil {
		return out, err
	}
	tally, err := s.Classes.Tally(ctx, 0, t, j)
	if err != nil {
		return out, err
	}
	n := 0.0
	for _, c := range tally.Totals {
		n += float64(c)
	}
	own := make([]float64, len(worst))
	err = tally.Each(ctx, func() func(int32, []classes.Run) {
		return func(class int32, runs []classes.Run) {
			size := 0.0
			for _, r := range runs {
				size += float64(r.Count)
			}
			if people != nil { // each has each of their values once, and may have several
				size = float64(people[class])
			}
			for _, r := range runs {
				in, all := min(1, float64(r.Count)/size), float64(tally.Totals[r.Value])/n
				own[class] = max(own[class], m.model.gain(in, all))
			}
			if len(runs) > 0 && !m.model.held(len(runs), len(tally.Totals)) {
				lacks[class] = true
			}
		}
	})
	weighted := make([]float64, len(own))
	for class, g := range own {
		out.Largest = max(out.Largest, g)
		weighted[class] = float64(g * float64(s.Sizes[class]))
		worst[class] = max(worst[class], g)
	}
	out.Mean = exact.Of(weighted) / float64(len(s.Of))
	return out, err
}

// Records returns for every original record the figure of the class that its released record is in, the largest of all
// secret attributes. NaN where records are not paired.
func (d SharesDetail) Records() []float64 { return d.risk }

// Sentence says what finding a class tells.
func (d SharesDetail) Sentence() message.Sentence {
	worst := d.Secrets[0]
	for _, s := range d.Secrets {
		if s.Largest > worst.Largest {
			worst = s
		}
	}
	return message.Say("measure.shares.says."+d.model.Name).Name("column", worst.Attribute).
		Digits("largest", worst.Largest, 3).Share("share", min(1, worst.Largest)).Count("k", d.Smallest).
		Count("lacking", d.Lacking).Count("n", d.of)
}
