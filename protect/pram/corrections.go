package pram

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/law/published"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/redraw"
)

const (
	mostPrinted = 8   // rows of a matrix that corrections print
	loose       = 1e6 // condition number from which a matrix is not undone
)

// Notes says how many values stay and how sure a released one is.
func (p *Plan) Notes() []string {
	var out []string
	for k := range p.Units {
		u := &p.Units[k]
		out = append(out, fmt.Sprintf("%s: %.3g %% of the values are expected to stay; a released one is the original with probability %.3g to %.3g",
			p.names(u), 100*u.Kept, u.Least, u.Most))
		if u.Kept > 1-1e-9 {
			out[len(out)-1] = fmt.Sprintf("%s: every value is released as it is", p.names(u))
		}
	}
	out = append(out, p.guarantee()...)
	if slices.ContainsFunc(p.Units, func(u Unit) bool { return len(u.Columns) > 1 }) {
		out = append(out, "crossed columns are perturbed together, so a measure of risk that takes columns one by one is approximate for them")
	}
	return out
}

// Epsilon is that of a whole record. It is infinite where a matrix was made of the records, which then tells of them besides.
func (p *Plan) Epsilon() (total float64) {
	for k := range p.Units {
		total += p.epsilon(&p.Units[k])
	}
	return total
}

func (p *Plan) epsilon(u *Unit) float64 {
	if p.ofRecords(u) {
		return math.Inf(1)
	}
	return u.Matrix.Epsilon()
}

// ofRecords reports whether a matrix was made of the records: of their frequencies, or of the combinations that occur.
func (p *Plan) ofRecords(u *Unit) bool { return len(u.Columns) > 1 || p.Invariant && len(u.Matrix) > 1 }

// guarantee says how private a value and a record are. Matrices of as many categories that bound the odds alike are named together.
func (p *Plan) guarantee() []string {
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
	slices.SortFunc(odds, func(a, b redraw.Odds) int { return a.Categories - b.Categories })
	out := []string{redraw.Guarantee(odds)}
	if slices.ContainsFunc(p.Units, func(u Unit) bool { return p.ofRecords(&u) }) {
		out = append(out, "a matrix that is made of the records (invariant, cross) bounds no odds: "+
			"a category that one person alone has is released only where that person is among them")
	}
	return out
}

// Corrections says how a user of the release estimates counts of the original. A matrix of few categories is printed, in alphabetical order
// of the categories or, where the attribute is ordered, in its own; so is one that has a formula.
func (p *Plan) Corrections() []string {
	if len(p.Units) == 0 {
		return nil
	}
	var out []string
	for k := range p.Units {
		out = append(out, p.correction(&p.Units[k]))
	}
	return append(out,
		"table of two columns: inv(P') T inv(Q) estimates the original counts from the table T of the release, with the matrix P of the column of "+
			"its rows and Q of that of its columns, and the identity for a column that was left alone",
		"put 0 for estimates below 0 and scale the others to their sum, or find the counts of maximum likelihood by expectation and maximisation")
}

// correction says how the counts of a unit are estimated.
func (p *Plan) correction(u *Unit) string {
	m, start := u.Matrix, "counts of "+p.names(u)
	if p.Invariant {
		start += " need no correction, but its tables with other columns do, by the matrix P"
	}
	switch keep, uniform := m.Keep(); {
	case len(m) < 2 || uniform && keep == 1:
		return "counts of " + p.names(u) + " need no correction"
	case m.Condition() > loose:
		return start + ": its matrix cannot be undone, so nothing can be estimated"
	case uniform:
		q := (1 - keep) / float64(len(m)-1)
		if p.Invariant {
			return start + fmt.Sprintf(" that has %.6g on the diagonal and %.6g elsewhere", keep, q)
		}
		return start + fmt.Sprintf(": (c - %.6g n) / %.6g from c of n released values; P has %.6g on the diagonal and %.6g elsewhere",
			q, keep-q, keep, q)
	case p.Invariant:
		return start + p.print(u)
	}
	return start + ": inv(P') c from the vector c of the released counts, with the matrix P" + p.print(u)
}

// print prints a matrix that is not large.
func (p *Plan) print(u *Unit) string {
	if len(u.Columns) > 1 || len(u.Matrix) > mostPrinted {
		return ", which the custodian has"
	}
	a := &p.Attrs[u.Columns[0]]
	order, as := reading(a), "alphabetical order"
	if a.Ordered {
		as = "ascending order"
	}
	var rows []string
	for _, x := range order {
		var row []string
		for _, y := range order {
			row = append(row, fmt.Sprintf("%.6g", u.Matrix[x][y]))
		}
		rows = append(rows, strings.Join(row, " "))
	}
	return fmt.Sprintf(" of the categories in %s, row by row: %s", as, strings.Join(rows, " / "))
}

// Published returns the probabilities to stay. It is an error where a matrix is not the same for all categories, or was made of the frequencies of the original, which it
// would tell.
func (p *Plan) Published() ([]published.Part, error) {
	var out []published.Part
	for k := range p.Units {
		u := &p.Units[k]
		keep, uniform := u.Matrix.Keep()
		switch {
		case len(u.Matrix) < 2:
			continue
		case p.Invariant:
			return nil, errors.New("a matrix that keeps the frequencies reveals them, so it is confidential")
		case len(u.Columns) > 1:
			return nil, fmt.Errorf("which combinations of %s occur is confidential", p.names(u))
		case !uniform:
			return nil, fmt.Errorf("the matrix of %s names categories, which the release may not show; one with the same probability for all others (keep) can be published", p.names(u))
		}
		out = append(out, published.Part{Columns: protect.Names(p.Attrs, u.Columns), Category: &published.Category{Categories: len(u.Matrix), Keep: keep}})
	}
	return out, nil
}
