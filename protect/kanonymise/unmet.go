package kanonymise

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/protect/internal/combined"
	"github.com/dither-data/dither/table"
)

// unmet is the error that even the highest node suppresses too many records.
func (q *Technique) unmet(s *search, p *Plan, t *table.Table) error {
	w := s.newWalker()
	top := w.lat.levels(int32(len(s.order)-1), w.levels)
	w.roller.roll(top, &s.f.base)
	c := w.roller.join(&s.f.base)
	err := q.beyond(w.judge.goal(c, s.f.rows), p, t, "even the most general release")
	return fmt.Errorf("%w%s", err, q.cause(p, s.f, top, w.judge.forSize(c) > s.most))
}

// cause says why the most general release suppresses too many, and what helps: for the sake of k alone, or of l and t.
func (q *Technique) cause(p *Plan, f *frame, top []int, k bool) (out string) {
	gaps := slices.ContainsFunc(f.axes, func(a *axis) bool { return a.counts[0] > 0 })
	distinct := false // a hierarchy without a common top
	for j, a := range f.axes {
		distinct = distinct || slices.Max(a.groups[top[j]]) > 1
	}
	switch {
	case gaps && !distinct && k:
		out = fmt.Sprintf("; too few records lack the same values, and search=mondrian does not change that; name fewer "+
			"columns (parameter %q), or "+
			"allow a larger suppression", "columns")
	case gaps && !distinct:
		out = "; records are grouped by which of their values are missing"
	}
	if q.L > 1 && !k {
		out += "; " + p.diversities(f)
	}
	return out
}

// diversities says how many values the sensitive columns have: l cannot be more.
func (p *Plan) diversities(f *frame) string {
	list := make([]string, len(p.Secret))
	for a, j := range p.Secret {
		list[a] = numfmt.Sprintf("sensitive column %q has only %d values", p.Attrs[j].Name, f.secrets[a].Values())
	}
	return strings.Join(list, ", ")
}

// fits refuses parameters that the search does not know.
func (q *Technique) fits() error {
	refuse := func(name, why string) error { return fmt.Errorf("parameter %q: %s", name, why) }
	switch lattice := q.Search == Lattice; {
	case !lattice && len(q.Levels) > 0:
		return refuse("levels", "only search=lattice has levels")
	case q.Search == Mondrian && len(q.Weights) > 0:
		return refuse("weights", "search=mondrian does not weigh losses")
	case q.Search == Mondrian && len(q.Combinations) > 0:
		return refuse(combined.Name, "search=mondrian reaches k in all columns together; expected search=lattice")
	case q.Search == Mondrian && q.Local:
		return refuse("local", "search=mondrian recodes by region; expected search=lattice")
	case q.Search == Genetic && q.Local:
		return refuse("local", "search=genetic recodes whole columns; expected search=lattice")
	case q.Search == Genetic && q.Loss == Precision:
		return refuse("loss", "groups of search=genetic are on no level; expected ncp or cm")
	case q.Loss == CM && len(q.Weights) > 0:
		return refuse("weights", "loss=cm counts records, not what columns lose; expected none, or loss=ncp")
	case q.Search != Genetic && q.Loss == CM:
		return refuse("loss", "only search=genetic looks for the least cm; expected ncp or precision")
	}
	return nil
}
