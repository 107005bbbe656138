package uncertainty

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/posterior"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// ClassDisclosure measures how uncertain an intruder is whether a person's class is one of a set: the entropy H^c(L) of
// Islam 2007, section 8.1.
//
// What it does. The probability of each released record being the target's (package posterior) weighs the shares of the
// classes in the leaf that the record reaches in a tree grown on the release; their sum over the classes of the set is
// P^c(L), and H^c(L) the entropy of being in the set or not, in bits. It is 0 when the class is certain, right or
// wrong. The score is the mean over the targets; without a set, the entropy is that of all classes. Parts give the
// standard deviation, the share of targets below the threshold, the share of targets whose likeliest class is their
// own, and that of the largest class beside it. A note says whether at most the share v of the people are below the
// threshold, of a sample by the upper end of its 95 % interval. With classFrom=record the released class of a record
// counts instead of the shares of its leaf.
//
// A low entropy need not come from the record: a good rule tells the class of anybody it fits, in the file or not.
// Compare it with the accuracy of the tree; the paper holds that only re-identification has to be prevented. The
// original need not have the lowest entropy: the tree of another release may have purer leaves.
//
// It needs a class that the intruder does not know. Missing values and cost: as package reidentification, with which it
// shares the work.
//
// Reference: Islam 2007, section 8.1.
var ClassDisclosure = measure.Measure{
	Card: card.Card{
		Name:      "classdisclosure",
		Title:     "Class entropy",
		Aliases:   []string{"H_c", "confidential class disclosure"},
		Summary:   "How uncertain an intruder is about a class, given the records that may be the right one.",
		Paper:     "Islam 2007, section 8.1",
		Needs:     "a class; an intruder who does not know it; the plan, or paired records",
		Preserves: "0 when every class is certain, 1 bit when a set and its complement are equally likely",
		Biases:    "a valid rule reveals the class of people outside the file too",
		Missing:   "missing values are not known to the intruder",
		Cost:      "shared with reidentification",
	},
	Facts: measure.Facts{
		About:  measure.Secret,
		Effort: measure.Fast,
		Place:  1,
		Bounds: map[string]string{"pairs": "5000000"},
	},
	Side:     measure.Risk,
	Better:   measure.Higher,
	Range:    table.Interval{Lo: 0, Hi: 64},
	Unit:     measure.In(measure.Bits, message.Say("unit.bits")),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&ClassDisclosureMeter{}) },
}

// ClassDisclosureMeter measures the class entropy.
type ClassDisclosureMeter struct {
	posterior.Options
	posterior.Rule
	Classes []string // the set L; empty: all classes one by one
}

// Params declares the parameters.
func (m *ClassDisclosureMeter) Params() param.Set {
	return append(append(param.Set{
		param.Names(&m.Classes, "classes", "does the intruder want to know whether the class is one of these? "+
			"(default: which class it is)"),
		m.ClassParam(),
	}, m.Rule.Params(0.5)...), m.Options.Params()...)
}

// ClassDisclosureDetail is the class entropy of every target.
type ClassDisclosureDetail struct {
	Intruder string    `json:"intruder"`
	Rows     []int     `json:"-"` // of the targets in the original
	H        []float64 `json:"-"` // in bits, by target
	posterior.Summary
	Originals int     `json:"originals"`
	Right     float64 `json:"right"`    // share of targets whose likeliest class is their own, of those that have one
	Majority  float64 `json:"majority"` // share of the largest class among them
}

// Measure returns the mean entropy in bits with a Detail. It fails without a class, when the intruder knows it, and
// when a class of the set does not occur.
func (m *ClassDisclosureMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	view, err := r.View()
	if err != nil {
		return measure.Value{}, err
	}
	class := r.Original.WithRole(table.Class)
	if class < 0 {
		return measure.Value{}, errors.New("no column has the role class; name one")
	}
	if slices.Contains(view.Columns(), class) {
		return measure.Value{}, measure.NotApplicable(message.Say("measure.skipped.knowsClass").Name("intruder", view.Name))
	}
	set, err := m.set(r.Original.Attr(class))
	if err != nil {
		return measure.Value{}, err
	}
	s, err := posterior.Of(ctx, r, m.Options)
	if err != nil {
		return measure.Value{}, err
	}
	if s.Classes == 0 || len(s.Rows) == 0 {
		return measure.Value{}, errors.New("no class can be inferred from the release: it has no tree for it, or no records")
	}
	h := make([]float64, len(s.Rows))
	for k := range h {
		h[k] = Entropy(s.Class[k*s.Classes:(k+1)*s.Classes], set)
	}
	least := s.Least(h)
	d := ClassDisclosureDetail{
		Intruder:  view.Name,
		Rows:      s.Rows,
		H:         h,
		Summary:   m.Judge(s, least, s.People),
		Originals: r.Original.Rows(),
	}
	d.guess(r.Original.Cat(class), s)
	v := d.Value(least, s.People)
	v.Parts = append(
		v.Parts,
		measure.Part{Key: "own-class", Name: message.Say("measure.classdisclosure.part.own-class"), Score: d.Right},
		measure.Part{
			Key:   "largest-class",
			Name:  message.Say("measure.classdisclosure.part.largest-class"),
			Score: d.Majority,
		},
	)
	v.Notes = append(v.Notes, s.Notes...)
	v.Detail = d
	return v, nil
}

// set returns which classes belong to L; nil for all one by one.
func (m *ClassDisclosureMeter) set(a *table.Attribute) ([]bool, error) {
	if len(m.Classes) == 0 {
		return nil, nil
	}
	set := make([]bool, len(a.Labels))
	for _, name := range m.Classes {
		c := a.Code(name)
		if c < 0 {
			return nil, fmt.Errorf("parameter %q: %q is not a value of the class %q", "classes", name, a.Name)
		}
		set[c] = true
	}
	return set, nil
}

// Entropy returns the entropy of classes with the probabilities p or, given a set of them, of being in it, in bits.
func Entropy(p []float64, set []bool) float64 {
	if set == nil {
		return posterior.Entropy(p)
	}
	in, out := 0.0, 0.0
	for c, v := range p {
		if set[c] {
			in += v
		} else {
			out += v
		}
	}
	return posterior.Entropy([]float64{in, out})
}

// guess counts the targets whose likeliest class is their own, ties shared out, and the share of the largest class.
func (d *ClassDisclosureDetail) guess(class []int32, s *posterior.Study) {
	counts := make([]float64, s.Classes)
	known := 0.0
	for k, i := range s.Rows {
		own := class[i]
		if own < 0 || int(own) >= s.Classes {
			continue
		}
		known++
		counts[own]++
		p := s.Class[k*s.Classes : (k+1)*s.Classes]
		top, ties := float64(slices.Max(p)*(1-1e-12)), 0.0
		for _, v := range p {
			if v >= top {
				ties++
			}
		}
		if p[own] >= top {
			d.Right += 1 / ties
		}
	}
	if known > 0 {
		d.Right, d.Majority = d.Right/known, slices.Max(counts)/known
	}
}

// Records returns for every original record how certain its class is: 1 less its entropy as a share of the largest; NaN
// where not judged.
func (d ClassDisclosureDetail) Records() []float64 {
	sure := make([]float64, len(d.H))
	top := max(1, slices.Max(d.H))
	for k, h := range d.H {
		sure[k] = 1 - h/top
	}
	return posterior.ByRow(d.Originals, d.Rows, sure)
}

// Sentence says what the intruder can do.
func (d ClassDisclosureDetail) Sentence() message.Sentence {
	return message.Say("measure.classdisclosure.says").Share("right", d.Right).Share("largest", d.Majority).
		Share("below", d.Below).Number("bits", d.Threshold, 0)
}
