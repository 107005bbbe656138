package classes

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// What a missing known value agrees with.
const (
	Value = "value" // only with a missing one
	Any   = "any"   // with anything
)

// Options are the parameters that measures of classes share.
type Options struct {
	Missing string // value or any
}

// Params declares the parameters.
func (o *Options) Params() param.Set {
	return param.Set{param.Choice(&o.Missing, "missing", Value, []string{Value, Any},
		"what a missing known value agrees with: only with a missing one, as if it were a value, or with anything")}
}

// Anything reports whether a missing value agrees with every value.
func (o *Options) Anything() bool { return o.Missing == Any }

// Study is the released table as an intruder sees it.
type Study struct {
	View       *intruder.View
	Classes    *Classes
	Of         []int32 // by released record: its class
	Sizes      []int32 // by class: its records
	Candidates []int32 // by class: the records that an intruder may take for one of the class
	Notes      []string
	// Noisy says that most records have perturbed known values: classes come about by chance then, and no sentence about them helps a reader.
	Noisy  bool
	paired bool
	rows   int // of the original
}

// Released returns the classes of a release's released records. Measures share them. It is an error when there are none.
func (o *Options) Released(ctx context.Context, r *measure.Release) (*Study, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	view, err := r.View()
	if err != nil {
		return nil, err
	}
	if r.Released.Rows() == 0 {
		return nil, errors.New("the released table has no records")
	}
	s, err := r.Memo(fmt.Sprintf("classes of the release, missing=%s, known %v", o.Missing, view.Known), func() (any, error) {
		c, err := Of(ctx, view.Known, o.Anything(), r.Released)
		if err != nil {
			return nil, err
		}
		candidates, err := c.Candidates(ctx)
		if err != nil {
			return nil, err
		}
		noisy := perturbed(r, view)
		return &Study{Classes: c, Of: c.Of[0], Sizes: c.Sizes[0], Candidates: candidates[0], Notes: notes(r, view, noisy), Noisy: 2*noisy > r.Released.Rows(),
			paired: r.Paired, rows: r.Original.Rows()}, nil
	})
	if err != nil {
		return nil, err
	}
	own := *s.(*Study)
	own.View = view
	return &own, nil
}

// notes says when classes mean less than they seem to.
func notes(r *measure.Release, view *intruder.View, noisy int) []string {
	var out []string
	if len(view.Known) == 0 {
		out = append(out, "the intruder knows no column of the table, so all records look alike")
	}
	if noisy > 0 {
		out = append(out, fmt.Sprintf("%d of %d records have perturbed known values, and classes are those of the released ones, so "+
			"neither is a small class a person found nor a large one a crowd to hide in; reidentification and linkage judge noise", noisy, r.Released.Rows()))
	}
	return out
}

// perturbed returns how many records have a known value that is not the person's own; suppressed ones are not meant.
func perturbed(r *measure.Release, view *intruder.View) int {
	if !r.Paired || r.Original == r.Released {
		return 0
	}
	other := make([]bool, r.Released.Rows())
	for _, j := range view.Columns() {
		was, is := r.Original.Column(j), r.Released.Column(j)
		switch is.Kind {
		case table.Numeric:
			for i, v := range is.Num {
				other[i] = other[i] || v == v && v != was.Num[i]
			}
		case table.Categorical:
			for i, c := range is.Cat {
				other[i] = other[i] || c >= 0 && c != was.Cat[i]
			}
		case table.SetValued: // is not among what can be known
		}
	}
	n := 0
	for _, o := range other {
		if o {
			n++
		}
	}
	return n
}

// ByRecord returns for every original record the figure of the class that its released record is in; NaN for all where records are
// not paired.
func (s *Study) ByRecord(figure func(class int32) float64) []float64 {
	out := make([]float64, s.rows)
	for i := range out {
		out[i] = math.NaN()
		if s.paired {
			out[i] = figure(s.Of[i])
		}
	}
	return out
}
