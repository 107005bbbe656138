// Package posterior works out who a target may be: the probability that each released record comes from the person an
// intruder looks for.
//
// What it does. What the intruder knows of the target's attributes meets the law of the noise: with P_xi^j the
// probability that attribute j of the target x is released as that of record i, record i is the target's with
// probability P_xi = prod_j P_xi^j / sum_i prod_j P_xi^j (Islam 2007, section 8.1). The product is over the attributes
// the intruder knows. Sub-domains, which the law of the noise may depend on, are those of the segment that the target
// reaches in trees grown on the released table, for the intruder does not have those of the original; the target is
// taken through them with all its values, known or not, so the risk is not understated. Where values are dealt out or
// drawn anew inside a segment, so that their law tells nothing, the sub-domain is all that is known. Where no record
// fits, the sub-domains were wrong for this target, and whole domains stand for them. Where none fits even then, the
// law says nothing of the target: such targets are judged by what the pairs show, they are counted, no release with one
// counts as secure, and many of them without pairs are an error, for then the plan is not that of the release.
//
// The class of the target is that of a record drawn with these probabilities, whose class in turn is drawn with the
// shares of the leaf it reaches in a tree grown on the released table.
//
// Attributes whose noise depends on each other (noisemodel.Additive) enter by their joint normal density, with the
// variance that rounding to the grid adds. Without a plan the law of the noise is not known, and what the pairs of
// records show stands for it: normal noise with the standard deviation of the differences, categories exchanged as
// often as they differ.
//
// An error, a band or a group in the intruder's knowledge spreads the probability evenly over the values it leaves
// open, 32 of them where there are more, and in a joint density enters as a normal error of the same variance. An
// outsider gives the membership, a constant, to the target's being in the file: what the records look like does not
// change it. It is a factor of the probabilities of records; entropies of records are those given that the target is in
// the file.
//
// Missing values: an attribute that the target misses is not known; a released record that misses what the target has
// cannot be the target's unless the technique suppresses values.
//
// Cost: released records that look alike to the intruder are compared once, and those that share their first attributes
// share that part of the product: at most 1 ns for every target, released record and known attribute, and O(records)
// memory per attribute.
//
// Reference: Islam 2007, chapter 8.
package posterior

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/floats"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/trees"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
)

// Where the class of a released record is taken from.
const (
	FromLeaf   = "leaf"   // the leaf it reaches in a tree grown on the release
	FromRecord = "record" // as it is released
)

// Options are the parameters that measures of this package share.
type Options struct {
	trees.Learner
	Pairs int // of records, above which targets are sampled
	// Membership is the probability that an outsider gives to the target's being in the file; 0 for the share of the
	// population that is in it (measure.Release.Sampled) or, where the table is not known to be a sample, one half.
	Membership float64
	// ClassFrom says what the class of a released record is taken from: "leaf", the shares of the leaf it reaches (also
	// for ""), or "record".
	ClassFrom string
}

// Params declares the parameters that all measures have.
func (o *Options) Params() param.Set {
	return append(param.Set{
		param.Int(&o.Pairs, "pairs", 50_000_000, 1, math.MaxInt, "pairs of records",
			"compare all originals with all distinct released records up to this many pairs; above it a sample of "+
				"the originals"),
		param.Float(&o.Membership, "membership", 0, 0, 1, "", "an outsider's probability that a person is in the "+
			"file; 0 for the share of the population that is sampled, by weights or by what was said, else one half"),
	}, o.Learner.Params()...)
}

// membership is the probability that an outsider gives to a target's being in a release's file.
func (o *Options) membership(r *measure.Release) float64 {
	if o.Membership > 0 {
		return o.Membership
	}
	if share, told := r.Sampled(); told {
		return share
	}
	return 0.5
}

// ClassParam declares the parameter of measures that infer the class.
func (o *Options) ClassParam() param.Param {
	return param.Choice(&o.ClassFrom, "classFrom", FromLeaf, []string{FromLeaf, FromRecord},
		"take the class of a released record from its leaf in a tree grown on the release, or as released")
}

// Study is what an intruder makes of a release, target by target.
type Study struct {
	measure.Targets // where people are told apart by the release's records, everybody with several of theirs
	// entropy of the released records given that the target is in the file, in bits: 0 to log2 of their number
	H    []float64
	Best []float64 // probability of the likeliest record
	Own  []float64 // probability of the target's own record; NaN when records are not paired
	// credit for the guess of the likeliest record: 1/ties when the own is among these, else 0; NaN when not paired
	Hit   []float64
	Class []float64 // probability of class c of target k at k*Classes+c
	// Classes is the number of classes; 0 without a class.
	Classes int
	Records int // released records; the people whose they are where some have several (Matcher.people)
	// Outside is the probability that the intruder gives to the target's not being in the file.
	Outside float64
	Unfit   int // targets that no released record fits
	// Riskiest is the target whose own record is the likeliest; where records are not paired, of whom some record is.
	Riskiest Suspects
	How      message.Sentence // where the law of the noise comes from, in words
	Notes    []message.Sentence
}

// Of studies the targets of a release. Every original record is one, up to Pairs pairs of original and different
// released records; above it a sample. The result is kept for the release, the intruder and the options. Cost: see
// the package comment.
func Of(ctx context.Context, r *measure.Release, o Options) (*Study, error) {
	view, err := r.View()
	if err != nil {
		return nil, err
	}
	if o.ClassFrom == "" {
		o.ClassFrom = FromLeaf // so that measures that take it from there by default share a study
	}
	return measure.PerReading(r, fmt.Sprintf("posterior %+v %+v", *view, o), func(r *measure.Release) (*Study, error) {
		m, err := NewMatcher(ctx, r, view, o)
		if err != nil {
			return nil, err
		}
		s, err := m.Study(ctx, r.Targets(o.Pairs/m.Profiles(), leastSample))
		if err != nil || len(s.Rows) == 0 {
			return s, err
		}
		risk := s.Own
		if !r.Paired {
			risk = s.Best
		}
		s.Riskiest, err = m.Suspects(ctx, s.Rows[floats.MaxIdx(risk)], mostSuspects)
		return s, err
	})
}

// leastSample is how many targets a sample has at least.
const leastSample = 100

// mostSuspects is how many suspects a study names.
const mostSuspects = 20

// Suspects are the likeliest released records of one target.
type Suspects struct {
	Row int       // of the target in the original
	P   []float64 // probabilities, falling
	Own int       // place of the target's own record in P; -1 when it is not there, or not known
}

// Suspects returns so many of the likeliest records of the target in a row of the original (Islam 2007, figure 8.1).
func (m *Matcher) Suspects(ctx context.Context, row, most int) (Suspects, error) {
	p := make([]float64, m.release.Released.Rows())
	unfit := false
	err := m.Each(ctx, []int{row}, func(_ int, b *Belief) {
		b.Records(p)
		unfit = b.Unfit
	})
	if unfit && m.view.Technique && m.release.Paired && err == nil {
		d, err := m.distances()
		if err != nil {
			return Suspects{}, err
		}
		return d.Suspects(ctx, row, most)
	}
	order := make([]int, len(p))
	floats.Argsort(p, order) // ascending
	slices.Reverse(p)
	slices.Reverse(order)
	s := Suspects{Row: row, P: p[:min(most, len(p))], Own: -1}
	if m.release.Paired {
		s.Own = slices.IndexFunc(order[:len(s.P)], func(i int) bool { return m.same(i, row) })
	}
	return s, err
}

// Study studies targets. It is an error when no released record fits many of them and there are no pairs.
func (m *Matcher) Study(ctx context.Context, targets measure.Targets) (*Study, error) {
	rows := targets.Rows
	k := len(rows)
	s := &Study{
		Targets: targets,
		H:       make([]float64, k),
		Best:    make([]float64, k),
		Own:     make([]float64, k),
		Hit:     make([]float64, k),
		Class:   make([]float64, k*m.classes),
		Classes: m.classes,
		Records: m.candidates(),
		Outside: m.outside,
		How:     m.how,
		Notes:   m.notes[:len(m.notes):len(m.notes)],
	}
	var widened atomic.Int64
	unfit := make([]bool, k)
	err := m.Each(ctx, rows, func(k int, b *Belief) {
		if b.Widened {
			widened.Add(1)
		}
		unfit[k] = b.Unfit
		s.set(k, b)
	})
	if s.Tried < s.People {
		s.Notes = append(s.Notes, measure.Sample(s.Tried, s.People))
	}
	if w := widened.Load(); w > 0 {
		s.Notes = append(s.Notes, message.Say("measure.posterior.note.widened").Count("n", int(w)))
	}
	if err != nil {
		return nil, err
	}
	return s, m.refit(ctx, s, unfit)
}

// set writes what the intruder believes of the target at place k.
func (s *Study) set(k int, b *Belief) {
	s.H[k], s.Best[k], s.Own[k], s.Hit[k] = b.Entropy(), b.Best(), math.NaN(), math.NaN()
	if b.m.release.Paired {
		s.Own[k], s.Hit[k] = b.Of(s.Rows[k]), b.Hit(s.Rows[k])
	}
	b.Classes(s.Class[k*s.Classes : (k+1)*s.Classes])
}

// refit judges targets that the law of the noise does not fit, say since records were swapped, by what the pairs show.
// It is an error when they are many and there are no pairs.
func (m *Matcher) refit(ctx context.Context, s *Study, unfit []bool) error {
	var places, rows []int
	for k, u := range unfit {
		if u {
			places, rows = append(places, k), append(rows, s.Rows[k])
		}
	}
	if s.Unfit = len(rows); s.Unfit == 0 {
		return nil
	}
	note := message.Say("measure.posterior.note.unfit").Count("n", s.Unfit).Count("people", len(unfit))
	switch {
	case m.release.Paired && m.view.Technique:
		d, err := m.distances()
		if err != nil {
			return err
		}
		s.Notes = append(s.Notes, message.Say("measure.posterior.note.refitted").Part("says", note))
		return d.Each(ctx, rows, func(k int, b *Belief) { s.set(places[k], b) })
	case !m.release.Paired && s.Unfit > 1 && float64(s.Unfit) > m.tolerated()*float64(len(unfit)):
		return fmt.Errorf("the plan does not fit this release (%s)", note)
	}
	s.Notes = append(s.Notes, note)
	return nil
}

// tolerated returns the share of targets that no record need fit where records are not paired: 5 % and those who must
// be missing since fewer records are released than there are persons.
func (m *Matcher) tolerated() float64 {
	const share = 0.05
	return share + max(0, 1-float64(m.release.Released.Rows())/float64(m.release.Original.Rows()))
}
