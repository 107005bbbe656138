package desk

import (
	"fmt"

	"github.com/dither-data/dither/internal/stats/drift"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// drifted compares the table with the one that the plan was made of, before the plan is applied; nil without a plan,
// for one that was fitted to the same table in a run with other parties, and for one that does not know. Values that
// the plan does not know are an error: it cannot be applied to them.
func (l *loaded) drifted() (*drift.Report, error) {
	if l.how == nil || l.by.how != nil {
		return nil, nil
	}
	b := l.how.file.Baseline
	if b == nil {
		l.d.note(message.Say("told.noBaseline"))
		return nil, nil
	}
	r, err := b.Compare(l.t.Table)
	if err != nil {
		return nil, fmt.Errorf("%s: the table does not fit the plan: %w", l.t.File.Name, err)
	}
	var fresh []string
	for k := range r.Columns {
		if s := &r.Columns[k]; s.Unknown > 0 {
			fresh = append(fresh, message.Say("drifted.unknown.values").Name("column", s.Name).Count("n", s.Unknown).
				Term("share", float64(100*s.UnknownShare), 2).String())
		}
	}
	if fresh != nil {
		return nil, &Broken{Verdict: message.Say("drifted.unknown.stop").String(),
			Breaches: append(fresh, message.Say("drifted.unknown.again").String())}
	}
	return r, nil
}

// counted counts things.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return count(n) + " " + what + "s"
}

// driftOf adds what only the table in the schema of the plan tells, and the remark.
func (m *made) driftOf(o *study.Outcome) error {
	if m.drift == nil {
		return nil
	}
	r := *m.drift
	if s := m.segments(); s != nil {
		if err := m.how.file.Baseline.Segmented(&r, m.p.Original, s); err != nil {
			return err
		}
	}
	o.Drift, o.Notes = &r, append([]message.Sentence{study.DriftNote(&r)}, o.Notes...)
	return nil
}

// segments are those of the plan, of records as they were before the table was restated for it; nil for none.
func (m *made) segments() drift.Segments {
	if s, ok := m.p.Plan.(protect.Segmented); ok && s.Segmentation() != nil {
		return restated{m.p, s.Segmentation()}
	}
	return nil
}

// restated are the segments of a plan that sees a restated table.
type restated struct {
	p *study.Protected
	drift.Segments
}

func (s restated) Route(t *table.Table, dst []uint64) error {
	t, err := s.p.Sees(t)
	if err == nil {
		t, err = t.Conform(s.p.Plan.Schema(), false)
	}
	if err != nil {
		return err
	}
	return s.Segments.Route(t, dst)
}

// baseline is what the plan keeps of the table that it was made of: of one that was applied, what it kept before.
func (m *made) baseline() (*drift.Baseline, error) {
	if m.how != nil && m.by.how == nil {
		return m.how.file.Baseline, nil
	}
	return drift.Of(m.p.Original, m.segments())
}
