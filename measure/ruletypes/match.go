package ruletypes

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/dither-data/dither/table"
)

// matcher finds the original rules that a released rule, or a union of released rules, stands for. Conditions are
// numbered, so that a rule is a short list of numbers and equal rules have equal keys.
type matcher struct {
	attrs    []table.Attribute
	original []rule
	tested   []bool            // by attribute: not totally innocent
	ids      map[string]uint32 // condition, or form of one -> its number
	same     map[string]int    // exact key -> the first original rule that has it
	forms    map[string][]int  // form key -> original rules
	gaps     map[gap][]int     // form key but for one categorical attribute -> original rules that test it
	byForm   map[uint32][]int  // number of one condition's form -> original rules that have it
}

// gap is a rule without its condition on one attribute.
type gap struct {
	attr int
	key  string
}

// keyed is a rule with the numbers of its conditions and of their forms.
type keyed struct {
	*rule
	exact, form []uint32
}

func newMatcher(attrs []table.Attribute, original []rule) *matcher {
	m := &matcher{attrs: attrs, original: original, tested: make([]bool, len(attrs)), ids: map[string]uint32{},
		same: map[string]int{}, forms: map[string][]int{}, gaps: map[gap][]int{}, byForm: map[uint32][]int{}}
	for i := range original {
		k := m.number(&original[i])
		key := k.key(k.exact, -1)
		if _, twice := m.same[key]; !twice {
			m.same[key] = i
		}
		f := k.key(k.form, -1)
		m.forms[f] = append(m.forms[f], i)
		for p, c := range k.conds {
			m.tested[c.attr] = true
			m.byForm[k.form[p]] = append(m.byForm[k.form[p]], i)
			if c.codes != nil {
				g := gap{c.attr, k.key(k.form, p)}
				m.gaps[g] = append(m.gaps[g], i)
			}
		}
	}
	return m
}

// number gives every condition of the rule its numbers.
func (m *matcher) number(r *rule) keyed {
	k := keyed{r, make([]uint32, len(r.conds)), make([]uint32, len(r.conds))}
	var buf []byte
	for p := range r.conds {
		buf = r.conds[p].exact(append(buf[:0], 'e'))
		k.exact[p] = m.id(buf)
		buf = r.conds[p].form(append(buf[:0], 'f'))
		k.form[p] = m.id(buf)
	}
	return k
}

func (m *matcher) id(b []byte) uint32 {
	n, ok := m.ids[string(b)]
	if !ok {
		n = uint32(len(m.ids))
		m.ids[string(b)] = n
	}
	return n
}

// key joins the class and the numbers of all conditions but the one at position skip.
func (k *keyed) key(numbers []uint32, skip int) string {
	b := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+4*len(numbers)), uint32(k.then))
	for p, n := range numbers {
		if p != skip {
			b = binary.LittleEndian.AppendUint32(b, n)
		}
	}
	return string(b)
}

// innocent reports whether the rule tests a totally innocent attribute.
func (m *matcher) innocent(r *rule) bool {
	return slices.ContainsFunc(r.conds, func(c cond) bool { return !m.tested[c.attr] })
}

// alone returns the original rule that k equals, or else the nearest of those from which it differs in numeric limits
// only.
func (m *matcher) alone(k *keyed) (Type, int) {
	if i, ok := m.same[k.key(k.exact, -1)]; ok {
		return A, i
	}
	if rules := m.forms[k.key(k.form, -1)]; len(rules) > 0 {
		return B, m.nearest(k.rule, rules)
	}
	return C, -1
}

// nearest returns the one of the original rules of r's form whose limits lie nearest, in domain widths; the first on
// ties.
func (m *matcher) nearest(r *rule, rules []int) int {
	best, least := -1, math.Inf(1)
	for _, i := range rules {
		d := 0.0
		for p, c := range r.conds {
			o := &m.original[i].conds[p]
			width := m.attrs[c.attr].Domain.Hi - m.attrs[c.attr].Domain.Lo
			if c.codes == nil && width > 0 {
				d += (math.Abs(c.lo.at-o.lo.at) + math.Abs(c.hi.at-o.hi.at)) / width
			}
		}
		if best < 0 || d < least {
			best, least = i, d
		}
	}
	return best
}

// likest returns the original rule that shares most conditions, but for numeric limits, with k; then one of k's class;
// then the one with fewest conditions; then the first. It returns -1 when none shares a condition. Counts is scratch of
// length len(m.original), all zero.
func (m *matcher) likest(k *keyed, counts []int) int {
	for _, f := range k.form {
		for _, i := range m.byForm[f] {
			counts[i]++
		}
	}
	best := -1
	better := func(i int) bool {
		if best < 0 {
			return true
		}
		o, b := &m.original[i], &m.original[best]
		if c := cmp.Compare(counts[i], counts[best]); c != 0 {
			return c > 0
		}
		if x, y := o.then == k.then, b.then == k.then; x != y {
			return x
		}
		if c := cmp.Compare(len(o.conds), len(b.conds)); c != 0 {
			return c < 0
		}
		return i < best
	}
	for _, f := range k.form {
		for _, i := range m.byForm[f] {
			if better(i) {
				best = i
			}
		}
	}
	for _, f := range k.form {
		for _, i := range m.byForm[f] {
			counts[i] = 0
		}
	}
	return best
}
