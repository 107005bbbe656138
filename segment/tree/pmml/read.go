package pmml

import (
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Read reads a TreeModel for classification: what Write writes, and trees of other programs whose nodes test one field
// each, against a number or for membership in sets of categories. Other predicates, derived fields and ensembles are
// refused in words. Where no counts are given, they are 0. A record whose tested value is missing follows all branches,
// whatever the document says of missing values (missingValueStrategy). Cost: O(bytes), and O(categories) for each test
// of categories.
func Read(data []byte) (*tree.Tree, error) {
	var d file
	if err := xml.Unmarshal(data, &d); err != nil {
		return nil, errors.New("no sound document of PMML")
	}
	if d.Model == nil || d.Model.Root == nil {
		what := ""
		for _, o := range d.Others {
			if strings.HasSuffix(o.XMLName.Local, "Model") {
				what = ": it holds a " + o.XMLName.Local
			}
		}
		return nil, errors.New("no document of PMML with a tree (TreeModel)" + what)
	}
	if d.Model.Function != "classification" {
		return nil, errors.New("the tree is not for classification")
	}
	r := reader{at: map[string]int{}, rests: map[*tree.DocumentNode]rest{}}
	r.schema(&d)
	if r.doc.Class == "" {
		return nil, errors.New("no field of the tree is its target")
	}
	var err error
	if r.doc.Tree, err = r.node(d.Model.Root, "tree"); err != nil {
		return nil, err
	}
	r.complete(r.doc.Tree)
	return r.doc.Parse()
}

// reader makes a document of ours of one of PMML.
type reader struct {
	doc   tree.Document
	at    map[string]int // of fields in the schema
	rests map[*tree.DocumentNode]rest
}

// schema reads the fields that the tree uses.
func (r *reader) schema(d *file) {
	usage := map[string]string{}
	for _, f := range d.Model.Fields {
		usage[f.Name] = f.Usage
	}
	for _, f := range d.Dictionary {
		use, used := usage[f.Name]
		if _, twice := r.at[f.Name]; !used || twice {
			continue
		}
		a := table.Attribute{Name: f.Name, Kind: table.Numeric, Domain: table.Interval{Lo: math.Inf(-1), Hi: math.Inf(1)}}
		if f.Optype != "continuous" {
			a.Kind, a.Ordered, a.Domain = table.Categorical, f.Optype == "ordinal", table.Interval{}
			for _, v := range f.Values {
				if (v.Property == "" || v.Property == "valid") && !slices.Contains(a.Labels, v.Value) {
					a.Labels = append(a.Labels, v.Value)
				}
			}
		} else {
			f.numeric(&a)
		}
		if use == "target" || use == "predicted" {
			r.doc.Class, a.Role = f.Name, table.Class
		}
		r.at[f.Name] = len(r.doc.Schema)
		r.doc.Schema = append(r.doc.Schema, a)
	}
}

// numeric reads the grid, the domain and the notation of dates.
func (f *field) numeric(a *table.Attribute) {
	switch f.Type {
	case "integer":
		a.Step = 1
	case "dateDaysSince[1970]":
		a.Step, a.Dates = 1, calendar.ISO
	case "dateTimeSecondsSince[1970]":
		a.Step, a.Dates = 1, calendar.ISOTime
	}
	if len(f.Intervals) == 1 && f.Intervals[0].Lo != nil && f.Intervals[0].Hi != nil &&
		*f.Intervals[0].Lo <= *f.Intervals[0].Hi {
		a.Domain = table.Interval{Lo: *f.Intervals[0].Lo, Hi: *f.Intervals[0].Hi}
	}
	for _, e := range f.Extensions {
		if e.Extender != "dither" {
			continue
		}
		if v, err := strconv.ParseFloat(e.Value, 64); e.Name == "step" && err == nil && v >= 0 && !math.IsInf(v, 0) {
			a.Step = v
		}
		if n, err := calendar.Parse(e.Value); e.Name == "dates" && err == nil {
			a.Dates = n
			if a.Step == 0 {
				a.Step = 1
			}
		}
	}
}

// know returns the code of a label in a field, a new one where it is new.
func (r *reader) know(field int, label string) int {
	a := &r.doc.Schema[field]
	k := slices.Index(a.Labels, label)
	if k < 0 {
		k, a.Labels = len(a.Labels), append(a.Labels, label)
	}
	return k
}

// rest is the branch of a node that takes the categories that no other one does; a node has one at most.
type rest struct{ kid, field int }

// complete gives every node a count for each class, and branches for what is left their categories, once all of them
// are known.
func (r *reader) complete(n *tree.DocumentNode) {
	for n.Counts != nil && len(n.Counts) < len(r.doc.Schema[r.at[r.doc.Class]].Labels) {
		n.Counts = append(n.Counts, 0)
	}
	for _, kid := range []*tree.DocumentNode{n.Le, n.Gt} {
		if kid != nil {
			r.complete(kid)
		}
	}
	for _, b := range n.Branches {
		r.complete(b.Node)
	}
	l, ok := r.rests[n]
	if !ok {
		return
	}
	taken := map[string]bool{}
	for _, b := range n.Branches {
		for _, label := range b.Values {
			taken[label] = true
		}
	}
	for _, label := range r.doc.Schema[l.field].Labels {
		if !taken[label] {
			n.Branches[l.kid].Values = append(n.Branches[l.kid].Values, label)
		}
	}
}

// node reads a node and what hangs on it.
func (r *reader) node(n *node, path string) (*tree.DocumentNode, error) {
	out := r.leaf(n)
	if len(n.Kids) == 0 {
		return out, nil
	}
	tests, err := r.tests(n, path)
	if err != nil {
		return nil, err
	}
	for k, kid := range n.Kids {
		if kid.ID != "" && kid.ID == n.Default {
			heavy := int32(k)
			out.Heavy = &heavy
		}
	}
	field := tests[0].field
	out.Attr = r.doc.Schema[field].Name
	kids := make([]*tree.DocumentNode, len(n.Kids))
	for k := range kids {
		if kids[k], err = r.node(n.Kids[k], fmt.Sprintf("%s.%d", path, k+1)); err != nil {
			return nil, err
		}
	}
	if r.doc.Schema[field].Kind == table.Numeric {
		return out, halves(out, tests, kids, path)
	}
	return out, r.branches(out, tests, kids, path)
}

// leaf reads what a node says of the records in it.
func (r *reader) leaf(n *node) *tree.DocumentNode {
	out, class := &tree.DocumentNode{Class: n.Score}, r.at[r.doc.Class]
	if n.Score != nil {
		r.know(class, *n.Score)
	}
	for _, c := range n.Counts {
		code := r.know(class, c.Value)
		for len(out.Counts) <= code {
			out.Counts = append(out.Counts, 0)
		}
		out.Counts[code] += c.Records
	}
	return out
}

// tests reads the predicates that lead to the branches of a node, which are of one field.
func (r *reader) tests(n *node, path string) ([]test, error) {
	out := make([]test, len(n.Kids))
	for k, kid := range n.Kids {
		var err error
		if out[k], err = r.test(kid); err != nil {
			return nil, fmt.Errorf("%s, branch %d: %w", path, k+1, err)
		}
	}
	field := out[0].field
	last := &out[len(out)-1]
	if last.otherwise && last.field < 0 {
		last.field = field
	}
	if field < 0 || slices.ContainsFunc(out, func(t test) bool { return t.field != field }) {
		return nil, fmt.Errorf("%s: its branches test several fields, or none", path)
	}
	return out, nil
}

// branches makes a test of categories.
func (r *reader) branches(d *tree.DocumentNode, tests []test, kids []*tree.DocumentNode, path string) error {
	for k, t := range tests {
		d.Branches = append(d.Branches, tree.DocumentBranch{Values: t.values, Node: kids[k]})
		if !t.otherwise {
			continue
		}
		if t.but != nil && (len(kids) != 2 || !sameSet(t.but, tests[1-k].values)) {
			return fmt.Errorf("%s, branch %d: it takes all categories but some that the other one does not take", path, k+1)
		}
		r.rests[d] = rest{k, t.field}
	}
	return nil
}

// sameSet reports whether two lists hold the same, in whatever order.
func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// halves makes a test of a number of two branches.
func halves(d *tree.DocumentNode, tests []test, kids []*tree.DocumentNode, path string) error {
	low := slices.IndexFunc(tests, func(t test) bool { return t.below })
	if len(kids) != 2 || low < 0 || tests[1-low].below {
		return fmt.Errorf("%s: a number is tested otherwise than against one limit", path)
	}
	high := tests[1-low]
	if !high.otherwise && high.cut != tests[low].cut {
		return fmt.Errorf("%s: its branches have two limits", path)
	}
	cut := tests[low].cut
	d.Threshold, d.Le, d.Gt = &cut, kids[low], kids[1-low]
	if d.Heavy != nil && low == 1 {
		heavy := 1 - *d.Heavy
		d.Heavy = &heavy
	}
	return nil
}

// test is a predicate: a field is at most a number, or beyond it, or among values, or anything else.
type test struct {
	field     int // -1 for none
	below     bool
	otherwise bool
	cut       float64
	values    []string
	but       []string
}

// test reads the predicate that leads to a node. Of surrogates the first is the one that was meant.
func (r *reader) test(n *node) (test, error) {
	switch {
	case n.Simple != nil:
		return r.simple(n.Simple)
	case n.Set != nil:
		return r.set(n.Set)
	case n.True != nil:
		return test{field: -1, otherwise: true}, nil
	case n.Compound != nil && n.Compound.Boolean == "surrogate" && len(n.Compound.Parts) > 0:
		switch p := &n.Compound.Parts[0]; p.XMLName.Local {
		case "SimplePredicate":
			return r.simple(p)
		case "SimpleSetPredicate":
			return r.set(p)
		}
	case n.Compound != nil && n.Compound.Boolean == "or" && len(n.Compound.Parts) > 0:
		out := test{field: -1, values: []string{}}
		for k := range n.Compound.Parts {
			t, err := r.simple(&n.Compound.Parts[k])
			if err != nil || t.values == nil || k > 0 && t.field != out.field {
				return out, errors.New("its predicate is compound")
			}
			out.field, out.values = t.field, append(out.values, t.values...)
		}
		return out, nil
	}
	return test{}, errors.New("its predicate is compound, or none that a tree of dither has")
}

// simple reads a predicate of one value.
func (r *reader) simple(p *part) (t test, err error) {
	var ok bool
	if t.field, ok = r.at[p.Field]; !ok || p.Value == nil {
		return t, errors.New("it tests no field of the data, or has no value")
	}
	if r.doc.Schema[t.field].Kind == table.Categorical {
		r.know(t.field, *p.Value)
		switch p.Operator {
		case "equal":
			t.values = []string{*p.Value}
		case "notEqual":
			t.otherwise, t.but = true, []string{*p.Value}
		default:
			return t, fmt.Errorf("it compares a category by %s", strconv.Quote(p.Operator))
		}
		return t, nil
	}
	if t.cut, err = strconv.ParseFloat(strings.TrimSpace(*p.Value), 64); err != nil || math.IsInf(t.cut, 0) ||
		t.cut != t.cut {
		return t, errors.New("it compares a number with none")
	}
	switch p.Operator {
	case "lessOrEqual":
		t.below = true
	case "lessThan":
		t.below, t.cut = true, math.Nextafter(t.cut, math.Inf(-1))
	case "greaterThan":
	case "greaterOrEqual":
		t.cut = math.Nextafter(t.cut, math.Inf(-1))
	default:
		return t, fmt.Errorf("it compares a number by %s", strconv.Quote(p.Operator))
	}
	return t, nil
}

// set reads a predicate of several values.
func (r *reader) set(p *part) (t test, err error) {
	var ok bool
	if t.field, ok = r.at[p.Field]; !ok || p.Array == nil || r.doc.Schema[t.field].Kind != table.Categorical {
		return t, errors.New("it tests no category for being in a set")
	}
	t.values = items(p.Array.Text)
	for _, v := range t.values {
		r.know(t.field, v)
	}
	switch p.Boolean {
	case "isIn":
		return t, nil
	case "isNotIn":
		t.otherwise, t.but, t.values = true, t.values, nil
		return t, nil
	}
	return t, fmt.Errorf("it tests a set by %s", strconv.Quote(p.Boolean))
}

// items are the entries of an array: words, or texts in quotes, in which a backslash goes before a quote.
func items(text string) []string {
	out := []string{}
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		if text[0] != '"' {
			n := strings.IndexAny(text, " \t\r\n")
			if n < 0 {
				n = len(text)
			}
			out, text = append(out, text[:n]), text[n:]
			continue
		}
		n := 1
		for n < len(text) && (text[n] != '"' || text[n-1] == '\\') {
			n++
		}
		out, text = append(out, strings.ReplaceAll(text[1:n], `\"`, `"`)), text[min(n+1, len(text)):]
	}
	return out
}
