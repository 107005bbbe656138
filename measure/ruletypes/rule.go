package ruletypes

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// rule is a conjunction in normal form: one condition per attribute, in ascending order of attributes.
type rule struct {
	conds []cond
	then  int32 // code of the class
}

// cond is all that a rule asks of one attribute.
type cond struct {
	attr   int
	lo, hi limit   // of a numeric attribute
	codes  []int32 // allowed categories, ascending; nil for a numeric attribute
}

// limit is one end of a numeric condition. On a grid, at is a multiple of the step, so that two tests which part the
// grid at the same place are equal: "<= 2" and "<= 2.5" on integers.
type limit struct {
	op op
	at float64
}

// op says how a limit binds.
type op byte

const (
	free   op = iota // no limit
	strict           // > or <
	weak             // >= or <=
)

// atMost snaps the limit of "<= v" and of "> v" to the grid: the largest value of the grid that is not above v.
func atMost(v, step float64) float64 {
	return table.Interval{Lo: math.Inf(-1), Hi: v}.OnGrid(step).Hi
}

// atLeast snaps the limit of ">= v" and of "< v" to the grid: the smallest value of the grid that is not below v.
func atLeast(v, step float64) float64 {
	return table.Interval{Lo: v, Hi: math.Inf(1)}.OnGrid(step).Lo
}

// interval returns the numbers that meet the condition.
func (c *cond) interval() table.Interval {
	iv := table.Everything()
	if c.lo.op != free {
		iv.Lo, iv.OpenLo = c.lo.at, c.lo.op == strict
	}
	if c.hi.op != free {
		iv.Hi, iv.OpenHi = c.hi.at, c.hi.op == strict
	}
	return iv
}

// normal brings rules into normal form.
func normal(attrs []table.Attribute, rules []tree.Rule) []rule {
	out := make([]rule, len(rules))
	for i, r := range rules {
		out[i].then = r.Then
		for _, c := range r.If {
			out[i].test(attrs, c)
		}
		sorting.Func(out[i].conds, func(a, b cond) int { return a.attr - b.attr })
	}
	return out
}

// check returns an error when a condition is none that its attribute can have.
func check(attrs []table.Attribute, rules []tree.Rule) error {
	for i, r := range rules {
		for _, c := range r.If {
			if err := checkCond(attrs, c); err != nil {
				return fmt.Errorf("rule %d: %w", i+1, err)
			}
		}
	}
	return nil
}

func checkCond(attrs []table.Attribute, c tree.Cond) error {
	if c.Attr < 0 || c.Attr >= len(attrs) {
		return fmt.Errorf("column %d is outside the schema of %d", c.Attr, len(attrs))
	}
	a := &attrs[c.Attr]
	var ops []string
	switch a.Kind {
	case table.Numeric:
		ops = []string{"<=", "<", ">", ">="}
	case table.Categorical:
		ops = []string{"=", "in"}
	case table.SetValued: // by none
	}
	if !slices.Contains(ops, c.Op) {
		return fmt.Errorf("column %q is %s and cannot be tested by %q", a.Name, a.Kind, c.Op)
	}
	for _, v := range c.Codes {
		if v < 0 || int(v) >= len(a.Labels) {
			return fmt.Errorf("column %q has no category %d", a.Name, v)
		}
	}
	return nil
}

// test adds one condition to the rule: the tighter limit, or the categories that meet both.
func (r *rule) test(attrs []table.Attribute, t tree.Cond) {
	p := slices.IndexFunc(r.conds, func(c cond) bool { return c.attr == t.Attr })
	first := p < 0
	if first {
		p = len(r.conds)
		r.conds = append(r.conds, cond{attr: t.Attr})
	}
	c, step := &r.conds[p], attrs[t.Attr].Step
	switch t.Op {
	case "<=":
		c.below(limit{weak, atMost(t.Value, step)})
	case "<":
		c.below(limit{strict, atLeast(t.Value, step)})
	case ">":
		c.above(limit{strict, atMost(t.Value, step)})
	case ">=":
		c.above(limit{weak, atLeast(t.Value, step)})
	default:
		codes := []int32{}
		for _, v := range slices.Compact(slices.Sorted(slices.Values(t.Codes))) {
			if _, both := slices.BinarySearch(c.codes, v); first || both {
				codes = append(codes, v)
			}
		}
		c.codes = codes
	}
}

func (c *cond) below(l limit) {
	if c.hi.op == free || l.at < c.hi.at || l.at == c.hi.at && l.op == strict {
		c.hi = l
	}
}

func (c *cond) above(l limit) {
	if c.lo.op == free || l.at > c.lo.at || l.at == c.lo.at && l.op == strict {
		c.lo = l
	}
}

// form writes what two conditions must share to differ in numeric limits only: attribute, operators and categories.
func (c *cond) form(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(c.attr))
	dst = append(dst, byte(c.lo.op), byte(c.hi.op))
	for _, v := range c.codes {
		dst = binary.AppendUvarint(dst, uint64(v))
	}
	return dst
}

// exact writes the whole condition.
func (c *cond) exact(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(c.lo.at))
	dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(c.hi.at))
	return c.form(dst)
}
