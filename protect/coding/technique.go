package coding

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/internal/named"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// What values beyond a limit become.
const (
	AsLimit = "limit" // the limit
	AsMean  = "mean"  // their mean
)

// Technique holds the parameters of both techniques.
type Technique struct {
	Bottom  bool     // values below a limit are coded, not those above one
	Columns []string // columns to code by Share
	Share   float64  // % of the records beyond the limit, at most
	At      []string // "column=limit" or "column=share%"
	As      string
	K       int
	Except  []string // columns left alone
}

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	beyond := "above"
	if q.Bottom {
		beyond = "below"
	}
	return param.Set{
		param.Float(&q.Share, "share", 5, 0, 100, "% of the records", "most values that may lie "+beyond+" the limit, "+
			"where it is not given"),
		param.Names(&q.At, "at", "limits of columns, as column=limit, or as column=share with a % sign"),
		param.Names(&q.Columns, "columns", "columns to code by share (default: all numeric and ordered ones, "+
			"unless at lists columns)"),
		param.Choice(&q.As, "as", AsLimit, []string{AsLimit, AsMean}, "what values "+beyond+" the limit become: the limit, "+
			"or their mean"),
		param.Int(&q.K, "k", 3, 2, 10_000, "people", "fewest people who share a released extreme or contribute to a mean"),
		param.Names(&q.Except, "except", "columns to leave alone"),
	}
}

// Fit works the limits out. It leaves columns alone that a limit by share would flatten. Cost: that of rank.Order per
// column with a share.
func (q *Technique) Fit(ctx context.Context, t *table.Table, _ rng.Source) (protect.Plan, error) {
	p := &Plan{Attrs: t.Attrs(), Bottom: q.Bottom, As: q.As, K: q.K, lowest: q.Bottom}
	asked, err := q.asked(t)
	if err != nil {
		return nil, err
	}
	whose, _ := t.People()
	weights, err := protect.Weights(t)
	if err != nil {
		return nil, err
	}
	for j := range t.Width() {
		a, ok := asked[j]
		if !ok {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := q.sorted(t, j, weights, whose)
		if len(s.u) == 0 && !a.given {
			continue // nothing is known of it
		}
		c, err := q.code(t.Attr(j), s, a)
		if err != nil {
			return nil, err
		}
		if !a.given && c.flattens(&s, a.fraction) {
			p.Left = append(p.Left, j)
			continue
		}
		c.Column = j
		p.Columns = append(p.Columns, c)
	}
	return p, ctx.Err()
}

// limit is what is asked for a column: a limit or a share.
type limit struct {
	given    bool
	at       float64 // the limit; of an ordered category, its code
	fraction float64
}

// asked returns what is asked for each column.
func (q *Technique) asked(t *table.Table) (map[int]limit, error) {
	may, err := numbersAndRanks(t, q.Except)
	if err != nil {
		return nil, err
	}
	columns, err := named.Columns(t, "columns", q.Columns, may)
	if err != nil {
		return nil, err
	}
	at, err := named.Assign(t, "at", q.At)
	if err != nil {
		return nil, err
	}
	if len(at) == 0 && len(columns) == 0 {
		columns = may
	}
	out := map[int]limit{}
	for _, j := range columns {
		out[j] = limit{fraction: q.Share / 100}
	}
	for _, x := range at {
		if err := named.Check(t, "at", x.Column, may); err != nil {
			return nil, err
		}
		a := t.Attr(x.Column)
		if _, twice := out[x.Column]; twice {
			return nil, fmt.Errorf("parameter %q: column %q is named twice", "at", a.Name)
		}
		if out[x.Column], err = parseLimit(a, x.Text, q.Bottom); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// numbersAndRanks returns the positions of the numeric and the ordered categorical columns that a technique may change.
func numbersAndRanks(t *table.Table, except []string) ([]int, error) {
	numeric, err := protect.Columns(t, table.Numeric, except)
	if err != nil {
		return nil, err
	}
	ranks, err := protect.Columns(t, table.Categorical, except)
	if err != nil {
		return nil, err
	}
	ranks = slices.DeleteFunc(ranks, func(j int) bool { return !t.Attr(j).Ordered || len(t.Attr(j).Labels) == 0 })
	out := append(numeric, ranks...)
	slices.Sort(out)
	return out, nil
}

// parseLimit reads a limit, which is on the grid and leaves a value beside it, or a share.
func parseLimit(a *table.Attribute, text string, bottom bool) (limit, error) {
	if code := a.Code(text); a.Kind == table.Categorical && code >= 0 {
		return limit{given: true, at: float64(code)}, nil
	}
	l, expected := limit{}, ""
	if share, ok := strings.CutSuffix(text, "%"); ok {
		v, err := strconv.ParseFloat(strings.TrimSpace(share), 64)
		if err != nil || !(v >= 0 && v <= 100) {
			expected = "0 % to 100 % of the records"
		}
		l = limit{fraction: v / 100}
	} else {
		switch a.Kind {
		case table.Numeric:
			l.given = true
			l.at, expected = parseBound(a, text, bottom)
		case table.Categorical:
			expected = "one of its categories, or a share such as 5%"
		case table.SetValued:
			expected = "none, for it is " + a.Kind.String()
		}
	}
	if expected != "" {
		return limit{}, fmt.Errorf("parameter %q: %q is no limit for column %q; expected %s", "at", text, a.Name, expected)
	}
	return l, nil
}

// parseBound reads a limit of numbers or dates, or returns what was expected instead.
func parseBound(a *table.Attribute, text string, bottom bool) (v float64, expected string) {
	v, ok := a.ParseValue(text)
	switch {
	case !ok && a.Dates != "":
		return 0, fmt.Sprintf("a date (%s), or a share such as 5%%", a.Dates)
	case !ok || math.IsNaN(v) || math.IsInf(v, 0):
		return 0, "a number, or a share such as 5%"
	case a.Snap(v) != v:
		return 0, fmt.Sprintf("a multiple of its step %v", a.Step)
	case a.Declared && !a.Domain.Contains(v):
		return 0, fmt.Sprintf("a number in its domain %v", a.Domain)
	case !bottom && v < a.Domain.Lo, bottom && v > a.Domain.Hi:
		return 0, "one that some values do not lie beyond"
	}
	return v, ""
}
