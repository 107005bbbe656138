package posterior

import (
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/segment"
	"github.com/dither-data/dither/table"
)

// fact is one attribute that the intruder knows.
type fact struct {
	at     int // position among the facts
	known  intruder.Known
	column table.Column // of the original
	// that the release shows, ascending; categories by code; a missing one is NaN or -1 and stands first
	values []float64
	law    noisemodel.Column
	labels int               // that the plan knows
	fixed  noisemodel.Kernel // the law where no plan says it
	kept   bool              // likelihoods are kept for other targets
	code   []int32           // of every released record
}

// learn gathers the evidence, what has few values first, so that much of the product is shared.
func (m *Matcher) learn() error {
	facts, joints, err := m.gather()
	if err != nil {
		return err
	}
	slices.SortStableFunc(facts, func(a, b *fact) int { return len(a.values) - len(b.values) })
	for k, f := range facts {
		f.at = k
		m.divide(f, f.code, int32(len(f.values)))
	}
	record := make([]int32, len(m.profile))
	for i := range record {
		record[i] = int32(i)
	}
	for _, j := range joints {
		m.divide(j, record, int32(len(record)))
	}
	return nil
}

// gather finds out what tells the law of every known attribute, alone or with others.
func (m *Matcher) gather() (facts []*fact, joints []*joint, err error) {
	mechanisms := m.mechanisms()
	m.how = message.Say("measure.posterior.how.law")
	if len(mechanisms) == 0 {
		why := message.Say("measure.posterior.noPlan")
		if len(m.release.Mechanisms) > 0 {
			why = message.Say("measure.posterior.unaware").Name("who", m.view.Name)
		}
		m.how = message.Say("measure.posterior.how.distances").Part("why", why)
		if !m.release.Paired {
			return nil, nil, fmt.Errorf("%s and the records are not paired, so the distance between released and "+
				"original values is unknown", why)
		}
	}
	joints, silent, err := m.joints(mechanisms)
	if err != nil {
		return nil, nil, err
	}
	guessed := 0
	for _, k := range m.view.Known {
		if slices.ContainsFunc(joints, func(j *joint) bool { return slices.Contains(j.columns, k.Column) }) {
			continue
		}
		f := &fact{known: k, column: m.release.Original.Column(k.Column)}
		switch {
		case m.law(f, mechanisms):
		case slices.Contains(silent, f.column.Name):
			f.fixed = anything{}
		default:
			m.guess(f)
			guessed++
		}
		e, err := Encode(m.release, k.Column)
		if err != nil {
			return nil, nil, err
		}
		f.values, f.code = e.Values, e.Codes
		if err := f.spare(m.release); err != nil {
			return nil, nil, err
		}
		facts = append(facts, f)
	}
	if guessed > 0 && len(mechanisms) > 0 {
		note := message.Say("measure.posterior.note.noLaw").Count("n", guessed)
		if !m.release.Paired {
			note = message.Say("measure.posterior.note.noLawUnpaired").Count("n", guessed)
		}
		m.notes = append(m.notes, note)
	}
	return facts, joints, nil
}

// mechanisms returns what the intruder knows of the technique.
func (m *Matcher) mechanisms() []noisemodel.Mechanism {
	if !m.view.Technique {
		return nil
	}
	return m.release.Mechanisms
}

// law finds out where the law of a fact comes from: of the mechanisms that change its column the last decides, for the
// release takes a column from the last step that changes it. A column that none changes is released as it is. It
// returns false when nothing tells the law.
func (m *Matcher) law(f *fact, mechanisms []noisemodel.Mechanism) bool {
	name, changed := f.column.Name, len(mechanisms) == 0
	f.labels = len(f.column.Labels)
	for _, mech := range mechanisms {
		if !slices.Contains(mech.Changes(), name) {
			continue
		}
		changed, f.law, f.labels = true, nil, len(f.column.Labels)
		if c, ok := noisemodel.Of(mech, f.known.Column); ok {
			f.law, f.labels = c, len(mech.Schema()[f.known.Column].Labels)
		}
	}
	if !changed {
		f.fixed = noisemodel.Kept{}
	}
	return f.law != nil || !changed
}

// guess takes the law from what the pairs of records show.
func (m *Matcher) guess(f *fact) {
	f.fixed = anything{}
	if m.release.Paired {
		f.fixed = estimate(f.column, m.release.Released.Column(f.known.Column))
	}
}

// kernel returns the law of the fact for a target in a segment.
func (f *fact) kernel(t *table.Table, row int, segment *segment.Segment) noisemodel.Kernel {
	if f.law == nil {
		return f.fixed
	}
	return f.law(segment, t, row)
}

// value returns what the target has; ok is false when it is missing.
func (f *fact) value(row int) (v float64, ok bool) {
	v = value(&f.column, row)
	return v, v == v
}

// mostKept is the largest number of likelihoods of one fact that are kept: those of every original value.
const mostKept = 1 << 22

// spare decides whether likelihoods are kept.
func (f *fact) spare(r *measure.Release) error {
	key := fmt.Sprintf("posterior: few values of %+v", f.known)
	var err error
	f.kept, err = measure.PerRelease(r, key, func(*measure.Release) (bool, error) {
		seen := map[float64]bool{}
		for i := range f.column.Len() {
			if v, ok := f.value(i); ok {
				seen[f.same(v)] = true
			}
			if len(seen)*len(f.values) > mostKept {
				return false, nil
			}
		}
		return true, nil
	})
	return err
}

// likelihoods returns the probability of every released value.
func (f *fact) likelihoods(w *worker, row int, segment *segment.Segment) []float64 {
	v, ok := f.value(row)
	if !ok {
		return nil
	}
	law := f.kernel(w.m.release.Original, row, segment)
	key := rowKey{f.at, law, f.same(v), nil}
	if segment.Influential(f.known.Column) && f.silent(law, v) {
		key.value, key.segment = 0, segment
	}
	if dst, ok := w.rows[key]; ok {
		return dst
	}
	dst := w.space(len(f.values))
	if f.kept || key.segment != nil {
		dst = make([]float64, len(f.values))
		w.keep(key, dst)
	}
	if key.segment != nil {
		f.inside(dst, segment)
	} else {
		f.row(dst, law, w.smooth(law), v)
	}
	return dst
}

// silent reports whether a law tells nothing of v, as values are dealt out or drawn anew inside a segment. That a law
// is flat does not say so: what it draws may lie outside the segment. Nor is it where the plan does not know all
// categories, as the others stay.
func (f *fact) silent(k noisemodel.Kernel, v float64) bool {
	switch k.(type) {
	case noisemodel.Dealt, noisemodel.Anew:
		return f.column.Kind != table.Categorical || max(v, f.values[len(f.values)-1]) < float64(f.labels)
	}
	return false
}

// inside writes 1 for the released values in the sub-domain of a segment: what a law that tells nothing leaves to know.
func (f *fact) inside(dst []float64, segment *segment.Segment) {
	iv, numeric := segment.Num[f.known.Column]
	for e, y := range f.values {
		if dst[e] = 0; numeric && iv.Contains(y) ||
			!numeric && y >= 0 && slices.Contains(segment.Cat[f.known.Column], int32(y)) {
			dst[e] = 1
		}
	}
}

// same returns a number that is equal for values of which the intruder knows the same.
func (f *fact) same(v float64) float64 {
	switch {
	case f.known.Bands != nil:
		return f.known.Range(v).Lo
	case f.known.Groups != nil:
		return float64(f.known.Groups[int32(v)])
	}
	return v
}

// row writes the probability of every released value for a target of which v is known, exactly or not, up to a factor
// that makes the largest some 1, so that products of many small densities do not vanish.
func (f *fact) row(dst []float64, k noisemodel.Kernel, quick *smooth, v float64) {
	clear(dst)
	switch _, same := k.(noisemodel.Kept); {
	case quick != nil:
		for _, x := range f.open(v) {
			quick.add(dst, f.values, x)
		}
		return
	case same && f.column.Kind == table.Numeric && !f.known.Exact():
		left := f.left(v)
		for e, y := range f.values {
			if left.Contains(y) {
				dst[e] = 1
			}
		}
		return
	}
	for _, x := range f.open(v) {
		for e, y := range f.values {
			dst[e] += f.p(k, x, y)
		}
	}
	if top := slices.Max(dst); top > 0 {
		for e := range dst {
			dst[e] /= top
		}
	}
}

// p returns the law's probability; a category that the plan does not know stays as it is.
func (f *fact) p(k noisemodel.Kernel, x, y float64) float64 {
	if f.column.Kind == table.Categorical && max(int(x), int(y)) >= f.labels {
		return noisemodel.Kept{}.P(x, y)
	}
	return k.P(x, y)
}

// left returns the numbers that what is known of v leaves open.
func (f *fact) left(v float64) table.Interval { return f.known.Range(v).OnGrid(f.column.Step) }

// points is how many values stand for an interval that holds more.
const points = 32

// open returns the values that what is known of v leaves open, or points evenly among them.
func (f *fact) open(v float64) []float64 {
	if f.known.Exact() {
		return []float64{v}
	}
	var out []float64
	switch f.column.Kind {
	case table.Numeric:
	case table.Categorical:
		for c := range f.column.Labels {
			if f.known.Same(int32(v), int32(c)) {
				out = append(out, float64(c))
			}
		}
		return out
	case table.SetValued: // is not among what can be known
	}
	step := f.column.Step
	left := f.left(v).Intersect(f.column.Domain).OnGrid(step)
	if left.Empty() || math.IsInf(left.Hi-left.Lo, 0) {
		return []float64{v}
	}
	n := points
	if step > 0 {
		n = min(n, int(math.Round((left.Hi-left.Lo)/step))+1)
	}
	width := left.Hi - left.Lo + step
	for e := range n {
		out = append(out, f.column.Snap(left.Lo-step/2+width*(float64(e)+0.5)/float64(n)))
	}
	return out
}
