package forests

import (
	"cmp"
	"context"
	"slices"

	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/internal/system/sorting"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Rule is a rule of a forest with what it is worth in a table.
type Rule struct {
	If         []tree.Cond
	Then       int32 // class code
	Tree, Leaf int   // where it stands in the forest
	Strength
}

// Covers reports whether a record meets all conditions. A missing value meets none.
func (r *Rule) Covers(t *table.Table, row int) bool {
	for k := range r.If {
		c, met := &r.If[k], false
		switch c.Op {
		case "<=":
			met = t.Num(c.Attr)[row] <= c.Value
		case ">":
			met = t.Num(c.Attr)[row] > c.Value
		default:
			met = slices.Contains(c.Codes, t.Cat(c.Attr)[row])
		}
		if !met {
			return false
		}
	}
	return true
}

// Strength is how many records of a table a rule covers.
type Strength struct {
	Covered int `json:"covered"` // records that meet the conditions
	Right   int `json:"right"`   // of them, those of the rule's class
	Records int `json:"records"` // of the table, those with a class
}

// Accuracy is the share of the covered records that the rule is right about; 0 where it covers none.
func (s Strength) Accuracy() float64 { return float64(s.Right) / float64(max(1, s.Covered)) }

// Coverage is the share of the records that the rule covers.
func (s Strength) Coverage() float64 { return float64(s.Covered) / float64(max(1, s.Records)) }

// inOrder sorts conditions: by attribute as in the table, a lower limit before an upper one.
func inOrder(conditions []tree.Cond) []tree.Cond {
	sorting.Func(conditions, func(c, d tree.Cond) int {
		return cmp.Or(cmp.Compare(c.Attr, d.Attr), cmp.Compare(d.Op, c.Op))
	})
	return conditions
}

// Same reports whether two rules say the same; their conditions are in order.
func (r *Rule) Same(o *Rule) bool {
	return r.Then == o.Then && slices.EqualFunc(r.If, o.If, func(c, d tree.Cond) bool {
		return c.Attr == d.Attr && c.Op == d.Op && c.Value == d.Value && slices.Equal(c.Codes, d.Codes)
	})
}

// alike reports whether two rules ask for the same sides of the same attributes and cover the same records of a table:
// their limits lie between the same values that records have, which trees on fewer records cut at different places.
func (r *Rule) alike(o *Rule, t *table.Table) bool {
	if r.Then != o.Then || r.Strength != o.Strength ||
		!slices.EqualFunc(r.If, o.If, func(c, d tree.Cond) bool { return c.Attr == d.Attr && c.Op == d.Op }) {
		return false
	}
	for i := range t.Rows() {
		if r.Covers(t, i) != o.Covers(t, i) {
			return false
		}
	}
	return true
}

// Once returns the rules without those that are like one before them in what they ask for and cover. Cost: a look at
// every record for each two of the same strength.
func Once(rules []Rule, t *table.Table) (out []Rule) {
	for k := range rules {
		if !slices.ContainsFunc(out, func(o Rule) bool { return rules[k].alike(&o, t) }) {
			out = append(out, rules[k])
		}
	}
	return out
}

// Rules returns the rules of a forest, each once and its conditions in one order, with their strength in a table that
// conforms to it; those that cover no record of it are left out. Cost: that of Strengths, and a comparison of each two
// rules.
func Rules(ctx context.Context, f *tree.Forest, t *table.Table) ([]Rule, error) {
	strengths, err := Strengths(ctx, f, t)
	if err != nil {
		return nil, err
	}
	var out []Rule
	for k, one := range f.Trees {
		for l, r := range one.Rules() {
			rule := Rule{If: inOrder(r.If), Then: r.Then, Tree: k, Leaf: l, Strength: strengths[k][l]}
			if len(r.If) == 0 || rule.Covered == 0 || slices.ContainsFunc(out, func(o Rule) bool { return rule.Same(&o) }) {
				continue
			}
			out = append(out, rule)
		}
	}
	return out, nil
}

// Strengths returns what the rules of a forest are worth in a table that conforms to it, by tree and leaf. Cost:
// O(rows x depth) per tree.
func Strengths(ctx context.Context, f *tree.Forest, t *table.Table) (out [][]Strength, err error) {
	for _, one := range f.Trees {
		counts, err := count(ctx, one, t)
		if err != nil {
			return nil, err
		}
		out = append(out, counts)
	}
	return out, nil
}

// chunk is how many records are walked through a tree at once.
const chunk = 1 << 14

// count returns the strength of the rule of every leaf in a table.
func count(ctx context.Context, one *tree.Tree, t *table.Table) ([]Strength, error) {
	leaves, number := one.Leaves(), make([]int32, len(one.Nodes))
	for l, i := range leaves {
		number[i] = int32(l)
	}
	parts := make([][]Strength, (t.Rows()+chunk-1)/chunk)
	class := t.Cat(one.Class)
	err := parallel.Ranges(ctx, t.Rows(), chunk, func(lo, hi int) error {
		part := make([]Strength, len(leaves))
		for i := lo; i < hi; i++ {
			if class[i] < 0 {
				continue
			}
			part[0].Records++
			if at := one.Reaches(t, i); at >= 0 {
				s := &part[number[at]]
				s.Covered++
				if one.Nodes[at].Label == class[i] {
					s.Right++
				}
			}
		}
		parts[lo/chunk] = part
		return nil
	})
	if err != nil {
		return nil, err
	}
	out, known := make([]Strength, len(leaves)), 0
	for _, part := range parts {
		known += part[0].Records
		for l := range out {
			out[l].Covered += part[l].Covered
			out[l].Right += part[l].Right
		}
	}
	for l := range out {
		out[l].Records = known
	}
	return out, nil
}

// Bar is what the rules of a class are on the average; NaN where it has none.
type Bar struct{ Accuracy, Coverage, Length float64 }

// Bars returns the averages of the rules of every class, by code.
func Bars(rules []Rule, classes int) []Bar {
	out, of := make([]Bar, classes), make([]float64, classes)
	for k := range rules {
		r := &rules[k]
		b := &out[r.Then]
		b.Accuracy += r.Accuracy()
		b.Coverage += r.Coverage()
		b.Length += float64(len(r.If))
		of[r.Then]++
	}
	for c := range out {
		out[c].Accuracy /= of[c]
		out[c].Coverage /= of[c]
		out[c].Length /= of[c]
	}
	return out
}

// rounding is by how much an average of equal numbers may differ from them.
const rounding = 1e-9

// Holds reports whether a rule of this strength is at least as accurate and as general as the average.
func (b Bar) Holds(s Strength) bool {
	return s.Accuracy() >= b.Accuracy-rounding && s.Coverage() >= b.Coverage-rounding
}

// Worth returns the rules worth showing, in their order: those that meet the averages of their class.
func Worth(rules []Rule, bars []Bar) (out []Rule) {
	for k := range rules {
		r, b := &rules[k], bars[rules[k].Then]
		if b.Holds(r.Strength) && float64(len(r.If)) <= b.Length+rounding {
			out = append(out, *r)
		}
	}
	return out
}

// Shares returns the share of every class among the records with a class.
func Shares(f *tree.Forest, t *table.Table) []float64 {
	out, known := make([]float64, len(f.ClassLabels())), 0.0
	for _, c := range t.Cat(f.Class()) {
		if c >= 0 {
			out[c]++
			known++
		}
	}
	for c := range out {
		out[c] /= max(1, known)
	}
	return out
}

// Leverage is by how much the share of the records that the rule is right about exceeds what chance would give a rule
// of its coverage (weighted relative accuracy); share is that of its class.
func (s Strength) Leverage(share float64) float64 {
	return float64(s.Coverage() * (s.Accuracy() - share))
}

// Strongest sorts rules, those of the highest leverage first; shares are those of the classes.
func Strongest(rules []Rule, shares []float64) {
	sorting.Stable(rules, func(x, y Rule) int {
		return cmp.Compare(y.Leverage(shares[y.Then]), x.Leverage(shares[x.Then]))
	})
}
