package graphicalsynthesis

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/internal/noise/domains"
	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/internal/noise/selectmeasure"
	"github.com/dither-data/dither/internal/noise/units"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Where domains come from.
const (
	Declared = "declared"
	Bought   = "bought"
	Observed = "observed"
)

// Technique holds the parameters.
type Technique struct {
	Epsilon    float64
	Delta      float64
	Bins       int     // of a number, at most
	Unit       string  // of whom the promise is (package units)
	Records    int     // of a person or household, that take part
	Public     bool    // the number of records is
	Domains    string  // Declared, Bought or Observed
	Bounds     float64 // share of the budget that buys domains
	Cells      int     // of aim's model
	Usefulness float64 // see the parameters of privbayes and bayesiannetwork
	Depth      int     // of the tree whose leaves are segments
	Growing    float64 // share of the budget that grows it
	Rows       int     // to draw; 0 for as many as the law is of
	Like       string  // of bayesiannetwork: conditions on what is drawn

	model *model
}

// private is a technique whose fit is charged to a ledger.
type private struct{ Technique }

// Charges returns what a fit to a table promises: of mst and aim the zero-concentrated budget of epsilon and delta, of
// privbayes and privatesegments epsilon, the tree's share in it; and the delta with which a rare category that is
// bought may be named. It fails where the schema tells that the fit would.
func (q *private) Charges(t *table.Table) ([]budget.Entry, error) {
	if !q.promises() {
		return nil, nil
	}
	if q.model.check != nil {
		if err := q.model.check(&q.Technique, t); err != nil {
			return nil, err
		}
	}
	s := q.shopping(t)
	e := budget.Entry{Kind: budget.Pure, Mechanism: "permute-and-flip and discrete Laplace",
		Neighbours: budget.AddOrRemove, Unit: units.Of(q.Unit, t, q.Records), Purpose: q.model.card.Name,
		Parameters: map[string]string{"public number": strconv.FormatBool(q.Public),
			"bought domains": strconv.Itoa(len(s.numbers) + len(s.categories))}}
	amount, err := mechanism.Decimal(q.Epsilon)
	if q.model.concentrated {
		e.Kind, e.Mechanism = budget.Concentrated, "exponential mechanism and discrete Gaussian"
		amount, err = mechanism.RhoRatio(q.Epsilon, q.Delta-s.delta)
	}
	if err != nil {
		return nil, fmt.Errorf("epsilon: %w", err)
	}
	if e.Amount = budget.Of(amount); s.delta > 0 {
		if e.Delta, err = budget.Parse(strconv.FormatFloat(s.delta, 'g', -1, 64)); err != nil {
			return nil, fmt.Errorf("delta: %w", err)
		}
	}
	return []budget.Entry{e}, nil
}

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	rows := "how many records are drawn; 0: as many as the table has"
	var out param.Set
	if q.model.private {
		rows = "how many records are drawn; 0: as many as the noisy counts say"
		out = append(out, param.Float(&q.Epsilon, "epsilon", 1, 0.001, 1000, "", "what the release may tell of one record, "+
			"or person: the odds of any two tables that differ by it change by e^epsilon at most").Noisier(1000, 0.001))
		if q.model.concentrated {
			out = append(out, param.Float(&q.Delta, "delta", 1e-9, 1e-15, 0.1, "", "with which probability they may change "+
				"by more; half of it serves to buy categories"))
		} else {
			out = append(out, param.Float(&q.Delta, "delta", 0, 0, 0.1, "", "with which probability they may change by more; "+
				"it serves to buy categories, and 0 buys none"))
		}
		out = append(out,
			units.Param(&q.Unit),
			units.RecordsParam(&q.Records),
			param.Bool(&q.Public, "public", false, "the number of records, or of those that take part, is public"),
			param.Choice(&q.Domains, "domains", Declared, []string{Declared, Bought, Observed}, "where domains come from that "+
				"are not declared: declared leaves these columns out, bought pays for them with the share bounds, and observed "+
				"makes the release not private"),
			param.Float(&q.Bounds, "bounds", 0.25, 0.01, 0.9, "share", "share of the budget that buys domains"))
	}
	out = append(out, param.Int(&q.Bins, "bins", 20, 2, 10_000, "bins", "bins of a number, at most"))
	if q.model.params != nil {
		out = append(out, q.model.params(q)...)
	}
	return append(out, param.Int(&q.Rows, protect.RowsName, 0, 0, mostRows, "records", rows))
}

// promises reports whether a fit is private.
func (q *Technique) promises() bool { return q.model.private && q.Domains != Observed }

// Fit fits the law of all columns. Its noise depends on the seed and on the table, so that the fits of two tables never
// share theirs: their difference would show what it hides.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	if q.model.check != nil {
		if err := q.model.check(q, t); err != nil {
			return nil, err
		}
	}
	if q.promises() {
		t = domains.Public(t)
	}
	columns := q.known(t)
	of, n := t.People()
	plan := &Private{Plan{Attrs: t.Attrs(), Method: q.model.card.Name, Several: of != nil && q.model.private}}
	p, promise, share := &plan.Plan, selectmeasure.Promise{Epsilon: q.Epsilon, Delta: q.Delta}, 0.0
	if q.promises() {
		unit := units.Of(q.Unit, t, q.Records)
		promise.Group = unit.Records
		p.Promise = &Promise{Epsilon: q.Epsilon, Unit: unit, Public: q.Public}
		of, n = units.Members(unit, t)
	}
	rows := q.taking(t, of, n, src)
	if q.promises() {
		s := q.shopping(t)
		bought, err := q.buy(t, s, rows, src)
		if err != nil {
			return nil, err
		}
		columns = append(columns, bought...)
		sorting.Func(columns, func(a, b Coding) int { return cmp.Compare(a.Column, b.Column) })
		if share = q.Bounds; s.empty() {
			share = 0
		}
		if promise.Delta -= s.delta; s.delta > 0 || q.model.concentrated {
			p.Promise.Delta = q.Delta
		}
		promise.Spent, p.Promise.Bought = share, share
		if columns == nil {
			return nil, errNone
		}
	}
	if p.Rows = len(rows); q.Public {
		promise.Records = len(rows)
	}
	if err := p.like(q, t); err != nil {
		return nil, err
	}
	if columns != nil {
		if err := q.learn(ctx, t, p, columns, rows, promise, src); err != nil {
			return nil, err
		}
	}
	if q.Rows > 0 {
		p.Rows = q.Rows
	}
	if !q.model.private {
		return p, nil
	}
	return plan, nil
}

// errNone is the error for a table of which nothing may be drawn.
var errNone = errors.New("no column has a declared domain or declared values, and what is found in the records is " +
	"not private: declare them (columns in the policy), or buy them (domains=bought)")

// known returns the columns whose values the technique may know: under a promise those that are declared.
func (q *Technique) known(t *table.Table) (out []Coding) {
	for j := range t.Width() {
		a, c := t.Attr(j), Coding{Column: j}
		if (!q.promises() || a.Declared) && c.settle(a, q.Bins) {
			out = append(out, c)
		}
	}
	return out
}

// learn fits the law of some columns in some rows: of a model that promises nothing, person by person where people have
// several records.
func (q *Technique) learn(ctx context.Context, t *table.Table, p *Plan, columns []Coding, rows []int,
	promise selectmeasure.Promise, src rng.Source) error {
	var stages []selectmeasure.Stage
	if of, _ := t.People(); of != nil && !q.model.private {
		wide, first, err := p.widen(t)
		if err != nil {
			return err
		}
		t = wide
		columns, stages = q.staged(wide, p, rows, first)
	}
	m := &material{Table: codes(t, columns, rows), columns: columns, attrs: t.Attrs(), stages: stages, plan: p}
	law, err := q.model.fit(ctx, q, m, promise, src.Fork(key(m.Table, promise)))
	if err != nil {
		return err
	}
	p.take(columns, law)
	return nil
}

// key hashes what a fit is of.
func key(t *selectmeasure.Table, p selectmeasure.Promise) string {
	h := sha256.New()
	_, _ = fmt.Fprint(h, p, t.Domain)
	buf := make([]byte, 4*len(t.Columns[0]))
	for _, column := range t.Columns {
		for i, x := range column {
			binary.LittleEndian.PutUint32(buf[4*i:], uint32(x))
		}
		h.Write(buf)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// taking returns the rows that take part, by identity: all or, of a private technique, so many of each unit, drawn at
// random.
func (q *Technique) taking(t *table.Table, of []int32, n int, src rng.Source) []int {
	rows := make([]int, t.Rows())
	for i := range rows {
		rows[i] = i
	}
	slices.SortFunc(rows, func(a, b int) int { return cmp.Compare(t.ID(a), t.ID(b)) })
	if of == nil || !q.model.private {
		return rows
	}
	stream := src.Fork("of a person").Stream()
	turn := make([]uint64, t.Rows())
	for i := range turn {
		turn[i] = stream.At(uint64(t.ID(i))).A
	}
	byTurn := slices.Clone(rows)
	slices.SortFunc(byTurn, func(a, b int) int { return cmp.Compare(turn[a], turn[b]) })
	taken, takes := make([]int, n), make([]bool, t.Rows())
	for _, i := range byTurn {
		takes[i] = taken[of[i]] < q.Records
		taken[of[i]]++
	}
	return slices.DeleteFunc(rows, func(i int) bool { return !takes[i] })
}
