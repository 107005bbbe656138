package randomisedresponse

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/redraw"
)

const (
	mostPrinted = 8   // rows of a matrix that corrections print
	loose       = 1e6 // condition number from which a matrix is not undone
)

// Notes says how many values stay and how sure a released one is.
func (p *PramPlan) Notes() []message.Sentence {
	var out []message.Sentence
	for k := range p.Units {
		u := &p.Units[k]
		if u.Kept > 1-1e-9 {
			out = append(out, message.Say("plan.pram.stay").Name("columns", p.names(u)))
			continue
		}
		out = append(out, message.Say("plan.pram.column").Name("columns", p.names(u)).Digits("kept", float64(100*u.Kept), 3).
			Digits("least", u.Least, 3).Digits("most", u.Most, 3))
	}
	out = append(out, p.guarantee()...)
	if slices.ContainsFunc(p.Units, func(u Unit) bool { return len(u.Columns) > 1 }) {
		out = append(out, message.Say("plan.pram.crossed"))
	}
	return out
}

// Epsilon is that of a whole record. It is infinite where a matrix was made of the records, which then tells of them
// besides.
func (p *PramPlan) Epsilon() (total float64) {
	for k := range p.Units {
		total += p.epsilon(&p.Units[k])
	}
	return total
}

func (p *PramPlan) epsilon(u *Unit) float64 {
	if p.ofRecords(u) {
		return math.Inf(1)
	}
	return u.Matrix.Epsilon()
}

// ofRecords reports whether a matrix was made of the records: of their frequencies, or of the combinations that occur.
func (p *PramPlan) ofRecords(u *Unit) bool {
	return len(u.Columns) > 1 || p.Invariant && len(u.Matrix) > 1
}

// guarantee says how private a value and a record are. Matrices of as many categories that bound the odds alike are
// named together.
func (p *PramPlan) guarantee() []message.Sentence {
	var odds []redraw.Odds
	for k := range p.Units {
		u := &p.Units[k]
		if len(u.Matrix) < 2 && !p.ofRecords(u) {
			continue
		}
		one := redraw.Odds{Categories: len(u.Matrix), Epsilon: p.epsilon(u), Names: []string{p.names(u)}}
		same := func(o redraw.Odds) bool { return o.Categories == one.Categories && o.Epsilon == one.Epsilon }
		if at := slices.IndexFunc(odds, same); at >= 0 {
			odds[at].Names = append(odds[at].Names, one.Names...)
		} else {
			odds = append(odds, one)
		}
	}
	if odds == nil {
		return nil
	}
	sorting.Func(odds, func(a, b redraw.Odds) int { return a.Categories - b.Categories })
	out := []message.Sentence{redraw.Guarantee(odds)}
	if slices.ContainsFunc(p.Units, func(u Unit) bool { return p.ofRecords(&u) }) {
		out = append(out, message.Say("plan.pram.ofRecords"))
	}
	return out
}

// Corrections says how a user of the release estimates counts of the original. A matrix of few categories is printed,
// in alphabetical order of the categories or, where the attribute is ordered, in its own; so is one that has a formula.
func (p *PramPlan) Corrections() []message.Sentence {
	if len(p.Units) == 0 {
		return nil
	}
	var out []message.Sentence
	for k := range p.Units {
		out = append(out, p.correction(&p.Units[k]))
	}
	return append(out, message.Say("correct.matrix.tables"), message.Say("correct.matrix.scale"))
}

// correction says how the counts of a unit are estimated.
func (p *PramPlan) correction(u *Unit) message.Sentence {
	m := u.Matrix
	counts := message.Say("correct.matrix.counts").Name("columns", p.names(u))
	if p.Invariant {
		counts = message.Say("correct.matrix.invariant").Name("columns", p.names(u))
	}
	switch keep, uniform := m.Keep(); {
	case len(m) < 2 || uniform && keep == 1:
		return message.Say("correct.matrix.none").Name("columns", p.names(u))
	case m.Condition() > loose:
		return message.Say("correct.matrix.lost").Part("counts", counts)
	case uniform:
		q := (1 - keep) / float64(len(m)-1)
		if p.Invariant {
			return message.Say("correct.matrix.uniform").Part("counts", counts).Term("p", keep, 6).Term("q", q, 6)
		}
		return message.Say("correct.matrix.formula").Part("counts", counts).Term("q", q, 6).Term("d", keep-q, 6).
			Term("p", keep, 6)
	case p.Invariant:
		return message.Say("correct.matrix.by").Part("counts", counts).Part("matrix", p.print(u))
	}
	return message.Say("correct.matrix.inverse").Part("counts", counts).Part("matrix", p.print(u))
}

// print prints a matrix that is not large.
func (p *PramPlan) print(u *Unit) message.Sentence {
	if len(u.Columns) > 1 || len(u.Matrix) > mostPrinted {
		return message.Say("correct.matrix.custodian")
	}
	a := &p.Attrs[u.Columns[0]]
	order := reading(a)
	var rows []string
	for _, x := range order {
		var row []string
		for _, y := range order {
			row = append(row, strconv.FormatFloat(u.Matrix[x][y], 'g', 6, 64))
		}
		rows = append(rows, strings.Join(row, " "))
	}
	if a.Ordered {
		return message.Say("correct.matrix.ascending").Text("rows", strings.Join(rows, " / "))
	}
	return message.Say("correct.matrix.alphabetical").Text("rows", strings.Join(rows, " / "))
}

// Published returns the probabilities to stay. It is an error where a matrix is not the same for all categories, or was
// made of the frequencies of the original, which it would tell.
func (p *PramPlan) Published() ([]modelfile.Part, error) {
	var out []modelfile.Part
	for k := range p.Units {
		u := &p.Units[k]
		keep, uniform := u.Matrix.Keep()
		switch {
		case len(u.Matrix) < 2:
			continue
		case p.Invariant:
			return nil, errors.New("a matrix that keeps the frequencies reveals them, so it is confidential")
		case len(u.Columns) > 1:
			return nil, fmt.Errorf("which combinations of %q occur is confidential", p.names(u))
		case !uniform:
			return nil, fmt.Errorf("the matrix of %q names categories, which the release may not show; one with the same "+
				"probability for all others (keep) can be published", p.names(u))
		}
		out = append(
			out,
			modelfile.Part{
				Columns:  protect.Names(p.Attrs, u.Columns),
				Category: &modelfile.Category{Categories: len(u.Matrix), Keep: keep},
			},
		)
	}
	return out, nil
}
