package tabulation

import (
	"context"
	"math"
	"slices"

	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tabulate"
	"github.com/dither-data/dither/tabulate/attack"
	"github.com/dither-data/dither/tabulate/cellkey"
	"github.com/dither-data/dither/tabulate/rounded"
	"github.com/dither-data/dither/tabulate/suppress"
)

// Made is tables that were protected and judged. It is confidential: what may be published is what it shows.
type Made struct {
	*Plan
	Set    *tabulate.Set
	Unit   string // the column that says whose a record is; empty counts records
	Shown  []int  // counts, by cell; -1 is left out
	Unsafe []bool // by cell
	Found  Found
	// Solution is what was left out; nil of another method. Round is the rounding, likewise.
	Solution *suppress.Solution
	Round    *rounded.Result
	Verdict  *study.Verdict
	of       *table.Table
}

// Found is what an intruder comes to.
type Found struct {
	Unsafe int          `json:"unsafe"` // cells, each once
	Open   attack.Tally `json:"open"`   // of these, computed, or bounded more closely than they may be
	// Guessed are unsafe cells whose count is guessed, Differences pairs of cells that differ by few; where counts moved.
	Guessed     *attack.Tally `json:"guessed"`
	Differences *attack.Tally `json:"differences"`
	// Told are records of whom zeros tell the value of a column to anyone who knows those of the others; where zeros are
	// shown as they are.
	Told  int    `json:"told"`
	Joint *Joint `json:"joint"` // with a release of records; null without one
}

// Protect counts, protects, attacks and judges. Cost: that of the protection (tabulate/suppress, tabulate/cellkey,
// tabulate/rounded), and that of the cells times the dimensions for the attacks.
func (q *Request) Protect(ctx context.Context) (*Made, error) {
	c, err := q.count()
	if err != nil {
		return nil, err
	}
	return c.protect(ctx)
}

func (c *counting) protect(ctx context.Context) (*Made, error) {
	unsafe, needs := c.set.Primary(c.Rules)
	m := &Made{Plan: c.Plan, Set: c.set, Unit: c.unit, of: c.Table, Unsafe: unsafe, Shown: make([]int, len(c.set.Cells))}
	for k, f := range c.set.First() {
		m.Shown[k] = c.set.Cells[k].Records
		if unsafe[k] && int(f) == k {
			m.Found.Unsafe++
		}
	}
	p := &attack.Published{Set: c.set, Counts: m.Shown}
	var err error
	switch c.Method {
	case Suppression:
		err = m.leaveOut(ctx, c)
	case CellKey:
		err = m.move(c, p, needs[0])
	default:
		err = m.round(ctx, c, p, needs[0])
	}
	if err != nil {
		return nil, err
	}
	if c.Beside != nil {
		if m.Found.Joint, err = c.jointly(ctx, m, p); err != nil {
			return nil, err
		}
	}
	m.Verdict = study.Weigh(c.Limits, m.taken())
	return m, nil
}

// leaveOut leaves cells out. What has no proof counts as open to an intruder.
func (m *Made) leaveOut(ctx context.Context, c *counting) (err error) {
	m.Solution, err = suppress.Solve(ctx, suppress.Of(c.set, c.Rules), suppress.Options{Alone: c.Alone})
	if err != nil {
		return err
	}
	for k, hidden := range m.Solution.Suppressed {
		if hidden {
			m.Shown[k] = -1
		}
	}
	open, first := map[int32]bool{}, c.set.First()
	for _, o := range m.Solution.Open {
		open[first[o.Cell]] = true
	}
	m.Found.Open = attack.Tally{Tried: m.Found.Unsafe, Right: len(open)}
	m.Found.Told = told(c.set)
	return nil
}

// move moves counts by the keys of their records, and attacks what is shown.
func (m *Made) move(c *counting, p *attack.Published, need tabulate.Need) error {
	law, err := cellkey.New(c.Keys)
	if err != nil {
		return err
	}
	ids, first := c.Table.IDs()
	keys := make([]uint64, c.Table.Rows())
	rng.FirstWords(c.Source.Fork("tabulate").Fork("cell keys").Stream(), len(keys), ids, first,
		func(i int, w uint64) { keys[i] = w })
	for k, key := range c.set.Keys(keys) {
		m.Shown[k] = law.Moved(m.Shown[k], key)
	}
	p.Reach, p.Law = c.Keys.Deviation, law.P
	m.guessed(p, p.Bounded(m.Unsafe, need))
	return nil
}

// round rounds counts, and attacks what is shown.
func (m *Made) round(ctx context.Context, c *counting, p *attack.Published, need tabulate.Need) (err error) {
	if m.Round, err = rounded.Round(ctx, c.set, c.Base, c.Source.Fork("tabulate")); err != nil {
		return err
	}
	copy(m.Shown, m.Round.Counts)
	p.Additive, p.Reach = true, max(c.Base-1, m.Round.Farthest)
	p.Law = func(n, shown int) float64 { return rounded.P(c.Base, n, shown) }
	m.guessed(p, p.Bounded(m.Unsafe, need))
	near := *p
	near.Law = func(n, shown int) float64 { return rounded.Near(c.Base, n, shown) }
	if t := near.Guessed(m.Unsafe); t.Right > m.Found.Guessed.Right {
		m.Found.Guessed = &t
	}
	if t := near.Differences(c.few()); t.Right > m.Found.Differences.Right {
		m.Found.Differences = &t
	}
	return nil
}

// guessed attacks counts that were moved.
func (m *Made) guessed(p *attack.Published, open attack.Tally) {
	guessed, differences := p.Guessed(m.Unsafe), p.Differences(m.few())
	m.Found.Open, m.Found.Guessed, m.Found.Differences = open, &guessed, &differences
}

// few is how many records are no longer a small difference.
func (p *Plan) few() int { return max(p.Rules.Frequency, 2) }

// taken are the figures for the limits. Where no rule calls a cell unsafe there is nothing to take.
func (m *Made) taken() (out []study.Taken) {
	if m.Rules.Frequency < 2 && (len(m.Sums) == 0 || m.Rules.P == 0 && m.Rules.N == 0) {
		return []study.Taken{{Measure: limit.Open, Value: math.NaN(), Lacking: message.Say("tables.noRule")}}
	}
	cells := measure.In(measure.Share, message.Say("unit.ofUnsafe"))
	share := 0.0
	if o := m.Found.Open; o.Tried > 0 {
		share = float64(o.Right) / float64(o.Tried)
	}
	wider, coarser := message.Say("remedy.tables.wider"), message.Say("remedy.tables.coarser")
	more := wider
	if m.Method == Suppression {
		more = message.Say("remedy.tables.minimum")
	}
	out = append(out, study.Taken{Measure: limit.Open, Value: share, Unit: cells,
		Remedies: []message.Sentence{more, coarser}})
	if m.Found.Guessed != nil {
		out = append(out, study.Taken{Measure: limit.Guessed, Value: m.Found.Guessed.Share(), Unit: cells,
			Remedies: []message.Sentence{wider, coarser}},
			study.Taken{Measure: limit.Differences, Value: m.Found.Differences.Share(),
				Unit:     measure.In(measure.Share, message.Say("unit.ofDifferences")),
				Remedies: []message.Sentence{wider, coarser}})
	}
	if j := m.Found.Joint; j != nil {
		apart := []message.Sentence{message.Say("remedy.tables.release"), message.Say("remedy.tables.apart")}
		told := j.Cells.Share()
		if j.Tables == 0 {
			told = math.NaN()
		}
		out = append(out, study.Taken{Measure: limit.Jointly, Value: told, Unit: cells, Remedies: apart,
			Lacking: j.Unseen(len(m.Sums) > 0, len(m.By))})
		if m.twofold() {
			out = append(out, study.Taken{Measure: limit.Singled, Value: j.share(), Unit: measure.OfPeople("unit.ofPeople"),
				Remedies: apart, Lacking: j.Unseen(false, len(m.By))})
		}
	}
	return out
}

// twofold reports whether some table is divided by two columns, of which one may be known and the other a secret.
func (m *Made) twofold() bool {
	return slices.ContainsFunc(m.Set.Of, func(dims []int) bool { return len(dims) > 1 })
}
