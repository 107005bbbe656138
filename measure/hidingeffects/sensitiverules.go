package hidingeffects

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/mining/association"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/trees"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Where the rules come from.
const (
	Listed = "listed"
	Tree   = "tree"
)

// RuleOptions are the parameters that the measures share.
type RuleOptions struct {
	Rules     string
	Sensitive string
	Base      string
	Intervals int
}

// Params declares the parameters.
func (o *RuleOptions) Params() param.Set {
	return append(param.Set{
		param.Choice(&o.Rules, "rules", Listed, []string{Listed, Tree}, "the rules listed as sensitive, or those "+
			"of a C4.5 tree of the original"),
		param.Choice(&o.Base, "base", "2", []string{"2", "e"}, "base of the logarithms: information in bits, or in "+
			"nats as in Table 3.1 of the paper"),
	}, param.Set{
		param.Patterns(&o.Sensitive, "sensitive", "the rules to hide, such as bread,milk=>jam, one per line or "+
			"separated by semicolons"),
		param.Int(&o.Intervals, "intervals", 4, 2, 1000, "intervals", "for listed rules, cut numbers into this "+
			"many intervals of about equal size"),
	}.Shared()...)
}

// Terms are a rule in a table.
type Terms struct {
	A float64 `json:"a"` // share of the records with its end
	B float64 `json:"b"` // with its beginning
	X float64 `json:"x"` // of the records with its beginning, those with its end
}

// J is the J-measure b (x log(x/a) + (1-x) log((1-x)/(1-a))) (equation 3.8), in nats.
func (t Terms) J() float64 { return float64(t.B * association.Divergence(t.X, t.A)) }

// JPrime is b (log(x/a) - log((1-x)/(1-a))) (equation 3.14), in nats; it is infinite, or no number, where a or x is 0
// or 1.
func (t Terms) JPrime() float64 { return association.Prime(t.A, t.B, t.X) }

// clip keeps shares of so many records half a record from 0 and 1, where logarithms end.
func (t Terms) clip(records int) Terms {
	least := 1 / (2 * float64(records))
	t.A, t.X = min(max(t.A, least), 1-least), min(max(t.X, least), 1-least)
	return t
}

// Rule is a rule in both tables.
type Rule struct {
	Text   string `json:"rule"`
	Class  string `json:"class"` // that a rule of a tree predicts
	Before Terms  `json:"before"`
	After  Terms  `json:"after"`
}

// Found are the rules that can be judged.
type Found struct {
	Rules []Rule
	Unit  float64 // what information in nats is multiplied with
	Notes []message.Sentence
}

// RulesOf returns the rules with their terms. It does not apply without any. Rules of which the release, or the
// original, has no record are left out with a note.
func RulesOf(ctx context.Context, r *measure.Release, o RuleOptions) (*Found, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	rules, err := listed, error(nil)
	if o.Rules == Tree {
		rules = leaves
	}
	all, err := rules(ctx, r, o)
	if err != nil {
		return nil, err
	}
	f := &Found{Unit: 1}
	if o.Base == "2" {
		f.Unit = 1 / math.Ln2
	}
	clipped := 0
	for _, rule := range all {
		if rule.Before.B > 0 && rule.After.B > 0 {
			before, after := rule.Before.clip(r.Original.Rows()), rule.After.clip(r.Released.Rows())
			if before != rule.Before || after != rule.After {
				clipped++
			}
			f.Rules = append(f.Rules, Rule{rule.Text, rule.Class, before, after})
		}
	}
	if clipped > 0 {
		f.Notes = append(f.Notes, message.Say("measure.sensitiverules.note.clipped").Count("n", clipped))
	}
	switch left := len(all) - len(f.Rules); {
	case len(f.Rules) == 0:
		return nil, measure.NotApplicable(message.Say("measure.skipped.noAntecedent"))
	case left > 0:
		f.Notes = append(f.Notes, message.Say("measure.sensitiverules.note.left").Count("n", left))
	}
	return f, nil
}

// Detail is the rules with their terms and the information of each. It tells the rules, so it is the custodian's alone.
type Detail struct {
	Rules   []Judged `json:"rules"`
	Classes []Class  `json:"classes"` // for the rules of a tree, by the name of the class
}

// Judged is a rule with its information before and after, in the unit of the measure.
type Judged struct {
	Rule
	Was float64 `json:"was"`
	Is  float64 `json:"is"`
}

// Class is the mean information of the rules that predict a class, each with the weight of its beginning in the
// original.
type Class struct {
	Name  string  `json:"class"`
	Rules int     `json:"rules"`
	Was   float64 `json:"was"`
	Is    float64 `json:"is"`
}

// Judge takes a figure of every rule, and its means before and after.
func (f *Found) Judge(of func(t Terms) float64) (d Detail, was, is float64) {
	for _, rule := range f.Rules {
		own := Judged{rule, float64(f.Unit * of(rule.Before)), float64(f.Unit * of(rule.After))}
		was, is = was+own.Was/float64(len(f.Rules)), is+own.Is/float64(len(f.Rules))
		d.Rules = append(d.Rules, own)
	}
	d.Classes = classes(d.Rules)
	return d, was, is
}

func classes(rules []Judged) (out []Class) {
	weight := map[string]float64{}
	for _, r := range rules {
		if r.Class == "" {
			continue
		}
		k, known := slices.BinarySearchFunc(out, r.Class,
			func(c Class, name string) int { return strings.Compare(c.Name, name) })
		if !known {
			out = slices.Insert(out, k, Class{Name: r.Class})
		}
		w := r.Before.B
		weight[r.Class] += w
		out[k].Rules++
		out[k].Was, out[k].Is = out[k].Was+float64(w*r.Was), out[k].Is+float64(w*r.Is)
	}
	for k := range out {
		out[k].Was, out[k].Is = out[k].Was/weight[out[k].Name], out[k].Is/weight[out[k].Name]
	}
	return out
}

// listed counts the rules that are listed. Items that may be there count half.
func listed(ctx context.Context, r *measure.Release, o RuleOptions) ([]Rule, error) {
	if o.Sensitive == "" {
		return nil, measure.NotApplicable(message.Say("measure.skipped.noSensitiveRule"))
	}
	c, err := basket.New(r.Original, basket.Options{Intervals: o.Intervals})
	if err != nil {
		return nil, measure.NotApplicable(message.Text(err.Error()))
	}
	patterns, err := c.Patterns(o.Sensitive)
	if err != nil {
		return nil, fmt.Errorf("parameter sensitive: %w", err)
	}
	lists, err := Code(c, r)
	if err != nil {
		return nil, err
	}
	var out []Rule
	for _, p := range patterns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !p.Rule() {
			continue
		}
		before, after := termsOf(lists[0], p), termsOf(lists[1], p)
		if len(lists) > 2 {
			after = after.and(termsOf(lists[2], p))
		}
		out = append(out, Rule{Text: c.Text(p), Before: before.terms(), After: after.terms()})
	}
	if out == nil {
		return nil, measure.NotApplicable(message.Say("measure.skipped.itemsetsAlone"))
	}
	return out, nil
}

// counts are records of a rule.
type counts struct{ records, with, wanted, both float64 }

func termsOf(t *itemset.Transactions, p basket.Pattern) counts {
	c := counts{records: float64(t.Len())}
	for i := range t.Len() {
		with, wanted := itemset.Contains(t.Row(i), p.If), itemset.Contains(t.Row(i), p.Then)
		if with {
			c.with++
		}
		if wanted {
			c.wanted++
		}
		if with && wanted {
			c.both++
		}
	}
	return c
}

// and is the middle of two readings.
func (c counts) and(o counts) counts {
	return counts{c.records, (c.with + o.with) / 2, (c.wanted + o.wanted) / 2, (c.both + o.both) / 2}
}

func (c counts) terms() Terms {
	if c.with == 0 {
		return Terms{A: c.wanted / c.records}
	}
	return Terms{c.wanted / c.records, c.with / c.records, c.both / c.with}
}

// leaves counts the rules of the original's tree.
func leaves(ctx context.Context, r *measure.Release, _ RuleOptions) ([]Rule, error) {
	if j := r.Original.WithRole(table.Class); j < 0 || r.Original.Attr(j).Kind != table.Categorical {
		return nil, measure.NotApplicable(message.Say("measure.skipped.noTreeClass"))
	}
	grown, err := trees.Original(ctx, r, *param.Default(&trees.Learner{}))
	if err != nil {
		return nil, err
	}
	before, after := ofLeaves(grown, r.Original), ofLeaves(grown, r.Released)
	var out []Rule
	for k, rule := range grown.Rules() {
		out = append(out, Rule{ruleText(grown, rule), grown.ClassLabels()[rule.Then], before[k].terms(), after[k].terms()})
	}
	return out, nil
}

// ruleText writes a rule of a tree.
func ruleText(t *tree.Tree, r tree.Rule) string {
	var list []string
	for _, c := range r.If {
		a := &t.Attrs[c.Attr]
		value := string(a.AppendValue(nil, c.Value))
		if a.Kind != table.Numeric {
			var labels []string
			for _, v := range c.Codes {
				labels = append(labels, a.Labels[v])
			}
			value = strings.Join(labels, "|")
		}
		list = append(list, a.Name+" "+c.Op+" "+value)
	}
	return strings.Join(list, ", ") + " => " + t.ClassLabels()[r.Then]
}

// ofLeaves counts the records of a table in every leaf, those of its class, and those of that class in all. Records
// without a class are none.
func ofLeaves(grown *tree.Tree, t *table.Table) []counts {
	leaf := make([]int32, t.Rows())
	grown.Route(t, leaf)
	nodes := grown.Leaves()
	out := make([]counts, len(nodes))
	class := t.Cat(grown.Class)
	records, of := 0.0, make([]float64, len(grown.ClassLabels()))
	for i, c := range class {
		if c < 0 {
			continue
		}
		records++
		of[c]++
		own := &out[leaf[i]]
		own.with++
		if grown.Nodes[nodes[leaf[i]]].Label == c {
			own.both++
		}
	}
	for k := range out {
		out[k].records, out[k].wanted = records, of[grown.Nodes[nodes[k]].Label]
	}
	return out
}
