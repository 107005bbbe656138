package prediction

import (
	"errors"
	"fmt"

	"github.com/dither-data/dither/internal/stats/folds"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// pair is what one run learns from and tests, for the original and for the release. Row i of both tests is the same
// person.
type pair struct {
	before, after trial
	src           rng.Source
}

// trial is a table to learn from and one to test.
type trial struct{ learn, test *table.Table }

// plan is the runs of a measure.
type plan struct {
	runs    int
	tests   string // what is tested: ClassifierDetail.Tests
	pair    func(i int) pair
	notes   []message.Sentence
	release *measure.Release // whose base, if any, has the same hold-out; nil where what is learned is not shared
}

// check refuses a release without a class to predict.
func check(r *measure.Release) error {
	if err := r.Check(); err != nil {
		return err
	}
	for _, t := range []*table.Table{r.Original, r.Exact} {
		if t == nil {
			continue
		}
		class := t.WithRole(table.Class)
		if class < 0 {
			return errors.New("no column has the role class; name one")
		}
		if a := t.Attr(class); a.Kind != table.Categorical {
			return fmt.Errorf("the class %q is %s; it must be categorical", a.Name, a.Kind)
		}
	}
	return nil
}

func (m *ClassifierMeter) plan(r *measure.Release, src rng.Source) (*plan, error) {
	exact := r.Original
	if r.Exact != nil {
		exact = r.Exact
	}
	if r.Holdout != nil && r.Holdout.Rows() > 0 {
		return m.heldOut(r, src), nil
	}
	p := &plan{runs: m.Repeats * m.Folds, tests: "cross-validation"}
	if r.Exact != nil {
		p.notes = append(p.notes, generalises)
	}
	rows := m.sample(r.Original, src.Fork("sample"))
	released := rows
	if !r.Paired {
		released = m.sample(r.Released, src.Fork("released sample"))
		p.notes = append(p.notes, message.Say("measure.classifier.note.unpaired"))
	}
	original, general, release := gathered(exact, rows), gathered(r.Original, rows), gathered(r.Released, released)
	if len(rows) < r.Original.Rows() || len(released) < r.Released.Rows() {
		p.notes = append(p.notes, sampled(m.Sample))
	}
	deals := make([][2][]int, m.Repeats)
	for k := range deals {
		deal := src.Fork(fmt.Sprintf("repeat %d", k+1))
		of, err := folds.Deal(original, m.Folds, deal)
		if err != nil {
			return nil, err
		}
		deals[k] = [2][]int{of, of}
		if !r.Paired {
			if deals[k][1], err = folds.Deal(release, m.Folds, deal.Fork("released")); err != nil {
				return nil, fmt.Errorf("released table: %w", err)
			}
		}
	}
	p.pair = func(i int) pair {
		deal, f := deals[i/m.Folds], i%m.Folds
		out, in := folds.Split(deal[0], f)
		others, _ := folds.Split(deal[1], f)
		q := pair{before: trial{original.Gather(out), original.Gather(in)}, src: src.Fork(fmt.Sprintf("run %d", i+1))}
		if q.after = q.before; release != original || !r.Paired {
			q.after = trial{release.Gather(others), general.Gather(in)}
		}
		return q
	}
	return p, nil
}

var generalises = message.Say("measure.classifier.note.generalises")

// heldOut plans the one run that tests the hold-out.
func (m *ClassifierMeter) heldOut(r *measure.Release, src rng.Source) *plan {
	p := &plan{runs: 1, tests: "hold-out", notes: []message.Sentence{message.Say("measure.classifier.note.oneRun")}}
	exact, held := r.Original, r.Holdout
	if r.Exact != nil && r.ExactHoldout != nil {
		exact, held = r.Exact, r.ExactHoldout
		p.notes = append(p.notes, generalises)
	}
	rows := m.sample(r.Original, src.Fork("sample"))
	released := rows
	if !r.Paired {
		released = m.sample(r.Released, src.Fork("released sample"))
	}
	tested := m.sample(r.Holdout, src.Fork("hold-out sample"))
	whole := len(rows) == r.Original.Rows() && len(tested) == r.Holdout.Rows()
	if !whole || len(released) < r.Released.Rows() {
		p.notes = append(p.notes, sampled(m.Sample))
	}
	if whole && m.Learner != NeuralNet { // which draws random numbers
		p.release = r
	}
	p.pair = func(int) pair {
		return pair{
			before: trial{gathered(exact, rows), gathered(held, tested)},
			after:  trial{gathered(r.Released, released), gathered(r.Holdout, tested)},
			src:    src.Fork("run 1"),
		}
	}
	return p
}

// sample returns all rows of a table, or as many as are to be sampled, ascending.
func (m *ClassifierMeter) sample(t *table.Table, src rng.Source) []int {
	return t.Drawn(m.Sample, src)
}

// gathered returns rows of a table, which are ascending; the table itself where they are all.
func gathered(t *table.Table, rows []int) *table.Table {
	if len(rows) == t.Rows() {
		return t
	}
	return t.Gather(rows)
}

func sampled(n int) message.Sentence {
	return message.Say("measure.classifier.note.sample").Count("n", n)
}
