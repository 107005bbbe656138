package classes

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
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
		"what a missing known value matches: only another missing one, as if it were a value, or anything")}
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
	// by class: the people among whom one of the class hides; Candidates where every record is a person's
	Hides  []int32
	People []int32 // by released record: whose it is; nil where every record is a person's, or that is not known
	Notes  []message.Sentence
	paired bool
	rows   int // of the original
}

// Released returns the classes of a release's released records. Measures share them. It is an error when there are
// none; where values were moved, so that classes come about by chance, measure.ErrNotApplicable.
func (o *Options) Released(ctx context.Context, r *measure.Release) (*Study, error) {
	return o.Among(ctx, r, nil)
}

// Among is Released for an intruder who knows, of the columns that this one knows, some only; nil for all.
func (o *Options) Among(ctx context.Context, r *measure.Release, columns []string) (*Study, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	view, err := r.View()
	if err != nil {
		return nil, err
	}
	if columns != nil {
		view.Known = slices.DeleteFunc(slices.Clone(view.Known), func(k intruder.Known) bool {
			return !slices.Contains(columns, r.Released.Attr(k.Column).Name)
		})
	}
	if r.Released.Rows() == 0 {
		return nil, errors.New("the released table has no records")
	}
	s, err := measure.PerReading(
		r,
		fmt.Sprintf("classes of the release, missing=%s, known %v", o.Missing, view.Known),
		func(r *measure.Release) (*Study, error) {
			moved, err := Applies(r, view)
			if err != nil {
				return nil, err
			}
			c, err := Of(ctx, view.Known, o.Anything(), r.Released)
			if err != nil {
				return nil, err
			}
			candidates, err := c.Candidates(ctx)
			if err != nil {
				return nil, err
			}
			s := &Study{
				Classes:    c,
				Of:         c.Of[0],
				Sizes:      c.Sizes[0],
				Candidates: candidates[0],
				Hides:      candidates[0],
				Notes:      o.notes(r, view, moved),
				paired:     r.Paired,
				rows:       r.Original.Rows(),
			}
			return s, s.count(ctx, r)
		},
	)
	if err != nil {
		return nil, err
	}
	own := *s
	own.View = view
	return &own, nil
}

// count counts people where some have several records.
func (s *Study) count(ctx context.Context, r *measure.Release) (err error) {
	of, _ := r.People()
	if of == nil {
		return nil
	}
	if !s.paired {
		s.Notes = append(s.Notes, message.Say("measure.classes.note.unpaired"))
		return nil
	}
	s.People = of
	s.Hides, err = s.Classes.People(ctx, 0, of)
	return err
}

// notes says when classes mean less than they seem to.
func (o *Options) notes(r *measure.Release, view *intruder.View, moved int) (out []message.Sentence) {
	if shown, gaps := Shown(r.Released, view.Columns()); shown > 0 {
		out = append(out, message.Say("measure.classes.note.suppressed-"+o.Missing).Count("n", shown).Count("gaps", gaps))
	}
	if len(view.Known) == 0 {
		out = append(out, message.Say("measure.classes.note.nothing"))
	}
	if moved > 0 {
		out = append(out, message.Say("measure.classes.note.moved").Count("n", moved).Count("records", r.Released.Rows()))
	}
	return out
}

// Shown returns how many values of columns a table shows as suppressed, and how many more are missing; zeros where it
// shows none. Cost: O(n) per column with suppressed values.
func Shown(t *table.Table, columns []int) (suppressed, gaps int) {
	for _, j := range columns {
		c := t.Column(j)
		for _, yes := range c.Suppressed {
			if yes {
				suppressed++
			}
		}
	}
	if suppressed == 0 {
		return 0, 0
	}
	for _, j := range columns {
		for i := range t.Rows() {
			if t.MissingAt(i, j) {
				gaps++
			}
		}
	}
	return suppressed, gaps - suppressed
}

// ByRecord returns for every original record the figure of the class that its released record is in; NaN for all where
// records are not paired.
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
