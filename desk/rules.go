package desk

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/internal/mining/association"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// RulesRequest asks for the association rules of a table.
type RulesRequest struct {
	Source
	Miner      string            // of itemsets, by any of its names
	Set        map[string]string // its parameters: support ...
	Confidence float64           // at least
	Then       []string          // columns, or items as they are printed, that a rule may end with; none: all
	ByClass    bool              // rules end with the class, one item
	Plain      bool              // leave out rules that others say as well
	By         string            // what the strongest are chosen and ordered by: one of Strengths
	Top        int               // list so many of the strongest; 0 lists all in the document and in an output
	Output     string            // path for all, as JSON where it ends in .json, else as CSV; empty for none
	JSON       bool              // print the document
	Overwrite  bool              // replace an output that exists
	Publish    bool              // they are handed out, as of ItemsetsRequest
	People     int
}

// strengths are what rules are ordered by, the strongest first.
var strengths = []struct {
	name string
	of   func(r *association.Rule) float64
}{
	{"lift", (*association.Rule).Lift},
	{"confidence", (*association.Rule).Confidence},
	{"support", (*association.Rule).Support},
	{"leverage", (*association.Rule).Leverage},
	{"conviction", (*association.Rule).Conviction},
	{"jmeasure", (*association.Rule).J},
	{"chisquare", func(r *association.Rule) float64 { chi, _ := r.ChiSquare(); return chi }},
}

// Strengths returns the names of what rules can be ordered by.
func Strengths() (out []string) {
	for _, s := range strengths {
		out = append(out, s.name)
	}
	return out
}

// RulesDocument are the association rules of a table. It is written a rule a line, without being held.
type RulesDocument struct {
	Schema     string         `json:"schema"`
	Miner      string         `json:"miner"` // of the itemsets
	Records    int            `json:"records"`
	MinCount   int            `json:"minCount"`   // records that both sides are in at the least
	Confidence float64        `json:"confidence"` // at the least
	Itemsets   int            `json:"itemsets"`   // that the rules are made of
	Rules      []RuleDocument `json:"rules"`
	Count      int            `json:"count"` // of all that there are, however many are listed
}

// RuleDocument is a rule. A conviction without bound, and the chi-square of what is in all records, is null.
type RuleDocument struct {
	If         []string `json:"if"`
	Then       []string `json:"then"`
	Count      int      `json:"count"` // records with both sides
	Support    float64  `json:"support"`
	Confidence float64  `json:"confidence"`
	Lift       float64  `json:"lift"`
	Leverage   float64  `json:"leverage"`
	Conviction Number   `json:"conviction"`
	J          float64  `json:"jMeasure"` // in nats
	ChiSquare  Number   `json:"chiSquare"`
	P          Number   `json:"p"` // of the chi-square; of many rules some have a small one by chance
}

// ruled is a table whose rules can be made.
type ruled struct {
	*searched
	supports *association.Supports
	options  association.Options
	strength func(r *association.Rule) float64
	by       string
}

// Rules makes the association rules of a table, writes all to the output, and prints the strongest to w. Cost: that of
// the miner, and memory for all frequent itemsets; the rules are not held.
func (d *Desk) Rules(ctx context.Context, w io.Writer, q RulesRequest) (err error) {
	out := handout{publish: q.Publish, people: q.People, output: q.Output}
	if err := out.check(); err != nil {
		return err
	}
	f := out.files(q.inputs(), q.Overwrite)
	defer f.discard()
	at := slices.Index(Strengths(), cmp.Or(q.By, strengths[0].name))
	if at < 0 {
		return usage(
			fmt.Errorf("rules are ordered by %s, not by %q%s", strings.Join(Strengths(), ", "), q.By,
				spelling.Hint(q.By, Strengths())),
		)
	}
	if !(q.Confidence >= 0 && q.Confidence <= 1) {
		return usage(fmt.Errorf("a confidence of %v is outside 0 to 1", q.Confidence))
	}
	if kind, ok := q.Set["kind"]; ok && kind != "all" {
		return usage(fmt.Errorf("rules are made of all frequent itemsets, not of %s ones; --plain leaves out those that "+
			"others say as well", kind))
	}
	if err := d.check(f); err != nil {
		return err
	}
	in, ctx, end, err := q.larger(ctx)
	if err != nil {
		return err
	}
	defer func() { err = end(err) }()
	in.unhashed = true
	s, l, err := d.search(ctx, in, q.Miner, q.Set)
	if err != nil {
		return err
	}
	r := &ruled{
		searched: s,
		strength: strengths[at].of,
		by:       strengths[at].name,
		options:  association.Options{Confidence: q.Confidence, Plain: q.Plain},
	}
	if err := r.ends(l, q); err != nil {
		return err
	}
	p := d.begin(message.Say("work.mining").Count("n", s.records).String())
	defer p.End()
	if err := d.handOut(ctx, w, s, l, out); err != nil {
		return err
	}
	if r.supports, err = association.Gather(ctx, s.Each, s.records); err != nil {
		return err
	}
	return list(ctx, w, r, f, listing{q.Output, q.JSON, q.Top})
}

// ends chooses the items that rules may end with.
func (r *ruled) ends(l *Loaded, q RulesRequest) error {
	then := slices.Clone(q.Then)
	if q.ByClass {
		j := l.Table.WithRole(table.Class)
		if j < 0 {
			return usage(fmt.Errorf("%s: no column is the class; name it with --class", l.File.Name))
		}
		then, r.options.MostThen = []string{l.Table.Attr(j).Name}, 1
	}
	if len(then) == 0 {
		return nil
	}
	may, known := make([]bool, len(r.Items())), []string{}
	for k, i := range r.Items() {
		if i.Attribute != "" && !slices.Contains(known, i.Attribute) {
			known = append(known, i.Attribute)
		}
		may[k] = slices.Contains(then, i.Attribute) && i.Attribute != "" || slices.Contains(then, i.String())
	}
	for _, name := range then {
		if !slices.Contains(known, name) &&
			!slices.ContainsFunc(itemTexts(r.Items(), all(len(may))), func(s string) bool { return s == name }) {
			return usage(fmt.Errorf("%s: no column and no item is called %q%s", l.File.Name, name, spelling.Hint(name, known)))
		}
	}
	r.options.Then = func(item int32) bool { return may[item] }
	return nil
}

func all(n int) []int32 {
	out := make([]int32, n)
	for k := range out {
		out[k] = int32(k)
	}
	return out
}

// each visits the rules that are listed: the strongest, or all where most is 0. It returns how many there are.
func (r *ruled) each(ctx context.Context, most int, visit func(r *association.Rule) error) (int, error) {
	type kept struct {
		rule     association.Rule
		strength float64
	}
	var top []kept
	n := 0
	var failed error
	err := r.supports.Rules(ctx, r.options, func(one *association.Rule) bool {
		n++
		if most == 0 {
			failed = visit(one)
			return failed == nil
		}
		k := kept{*one, r.strength(one)}
		before := func(a, b kept) int {
			return cmp.Or(cmp.Compare(b.strength, a.strength), cmp.Compare(b.rule.Both, a.rule.Both),
				cmp.Compare(len(a.rule.If)+len(a.rule.Then), len(b.rule.If)+len(b.rule.Then)),
				slices.Compare(a.rule.If, b.rule.If), slices.Compare(a.rule.Then, b.rule.Then))
		}
		if len(top) < most || before(k, top[most-1]) < 0 {
			k.rule.If, k.rule.Then = slices.Clone(one.If), slices.Clone(one.Then)
			at, _ := slices.BinarySearchFunc(top, k, before)
			top = slices.Insert(top, at, k)
			top = top[:min(most, len(top))]
		}
		return true
	})
	for k := range top {
		if failed == nil && err == nil {
			failed = visit(&top[k].rule)
		}
	}
	if failed != nil {
		err = failed
	}
	return n, err
}

func (r *ruled) document(one *association.Rule) RuleDocument {
	chi, p := one.ChiSquare()
	return RuleDocument{
		If:         itemTexts(r.Items(), one.If),
		Then:       itemTexts(r.Items(), one.Then),
		Count:      one.Both,
		Support:    one.Support(),
		Confidence: one.Confidence(),
		Lift:       one.Lift(),
		Leverage:   one.Leverage(),
		Conviction: Number(one.Conviction()),
		J:          one.J(),
		ChiSquare:  Number(chi),
		P:          Number(p),
	}
}

// line writes a rule; where it is long the beginning is cut, for the end is what the rule is about.
func (r *ruled) line(one *association.Rule) string {
	then := shortened(itemNames(r.Items(), one.Then, ", "), 80)
	return shortened(itemNames(r.Items(), one.If, ", "), max(40, 120-len(then))) + " => " + then
}

// text prints the strongest rules, and says how many are not printed.
func (r *ruled) text(ctx context.Context, w io.Writer, most int) error {
	if most == 0 {
		most = listed
	}
	var lines bytes.Buffer
	shown := 0
	n, err := r.each(ctx, most, func(one *association.Rule) error {
		shown++
		fmt.Fprintf(&lines, "%10s  %7s  %10s  %8.2f  %s\n", count(one.Both), numfmt.Percent(one.Support()),
			numfmt.Percent(one.Confidence()), one.Lift(), r.line(one))
		return nil
	})
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, message.Say("mined.rules").Count("n", n).Count("itemsets", r.supports.Len()).Count("least", r.Least()).
		Count("records", r.records).Term("confidence", float64(100*r.options.Confidence), 6))
	if shown > 0 {
		fmt.Fprintf(b, "%10s  %7s  %10s  %8s  rule, by %s\n", "records", "support", "confidence", "lift", r.by)
	}
	b.Write(lines.Bytes())
	if left := n - shown; left > 0 {
		all := message.Say("mined.all").Part("left", notShown(left))
		if !r.options.Plain {
			all = message.Say("mined.plain").Part("all", all)
		}
		fmt.Fprintln(b, all)
	}
	return b.Flush()
}

// json writes a RulesDocument, a rule a line. Count is of all that there are, however many are listed.
func (r *ruled) json(ctx context.Context, w io.Writer, most int) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "{\n \"schema\": %q,\n \"miner\": %q,\n \"records\": %d,\n \"minCount\": %d,\n \"confidence\": %v,\n "+
		"\"itemsets\": %d,\n \"rules\": [", schemaOf("rules"), r.miner, r.records,
		r.Least(), r.options.Confidence, r.supports.Len())
	first := true
	n, err := r.each(ctx, most, func(one *association.Rule) error {
		if !first {
			b.WriteByte(',')
		}
		first = false
		line, err := encoded(r.document(one), "")
		b.WriteString("\n  ")
		b.Write(bytes.TrimSpace(line))
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "\n ],\n \"count\": %d\n}\n", n)
	return b.Flush()
}

// csv writes a line a rule.
func (r *ruled) csv(ctx context.Context, w io.Writer, most int) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{"if", "then", "count", "support", "confidence", "lift", "leverage", "conviction",
		"jmeasure", "chisquare", "p"}); err != nil {
		return err
	}
	number := func(v float64) string {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	_, err := r.each(ctx, most, func(one *association.Rule) error {
		chi, p := one.ChiSquare()
		return c.Write(
			[]string{
				itemNames(r.Items(), one.If, " | "),
				itemNames(r.Items(), one.Then, " | "),
				strconv.Itoa(one.Both),
				number(one.Support()),
				number(one.Confidence()),
				number(one.Lift()),
				number(one.Leverage()),
				number(one.Conviction()),
				number(one.J()),
				number(chi),
				number(p),
			},
		)
	})
	if err != nil {
		return err
	}
	c.Flush()
	return c.Error()
}
