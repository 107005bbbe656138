package policy

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/dither-data/dither/internal/mining/discretise"
)

// Reading is how a table was read, where that decides what its values are: the part of a policy that a plan keeps, so
// that the same file is read in the same way again.
type Reading struct {
	// encoding, delimiter, header, sheet, columns left out, layouts of items, marks of missing values where they are not
	// the usual ones, merged variants
	File File `json:"file,omitzero"`
	// kinds, notations of dates and numbers, codes of missing values, the points where numbers are cut, and domains to
	// whose ends values are set
	Columns map[string]Column `json:"columns,omitempty"`
}

// Reading returns how the policy has a table read.
func (p *Policy) Reading() *Reading {
	r := &Reading{File: p.File, Columns: map[string]Column{}}
	r.File.MissingOut, r.File.Query = nil, ""
	dates := p.Dates()
	for name, c := range p.Columns {
		kept := Column{Dates: string(dates[name]), Numbers: c.Numbers, Missing: c.Missing, Cut: c.Cut}
		if k, ok := c.kind(); ok && !c.dated() && c.Numbers == "" {
			kept.Kind = cmp.Or(c.Kind, k.String())
		}
		if c.Outside == clip {
			kept.Domain, kept.Outside = c.Domain, c.Outside
		}
		if kept.Kind != "" || kept.Dates != "" || kept.Numbers != "" || kept.Missing != nil || kept.Outside != "" ||
			kept.Cut != "" {
			r.Columns[name] = kept
		}
	}
	return r
}

// Recall returns a copy of the policy that has a table read as an earlier reading says, where the policy itself does
// not say how. It tells in words what it took over, and in what the two contradict each other, where the policy stands.
// The words name columns, never a value.
func (p *Policy) Recall(earlier *Reading) (out *Policy, taken, contrary []string) {
	own, q := p.Reading(), *p
	q.Columns = maps.Clone(p.Columns)
	if q.Columns == nil {
		q.Columns = map[string]Column{}
	}
	settle := func(what string, own, old []Text, alone bool, take func()) {
		switch {
		case own == nil && old != nil:
			take()
			taken = append(taken, what)
		case own != nil && (old != nil || !alone) && !sameTexts(own, old):
			contrary = append(contrary, what)
		}
	}
	f, old := &own.File, &earlier.File
	settle("encoding", said(f.Encoding), said(old.Encoding), true, func() { q.File.Encoding = old.Encoding })
	settle("delimiter", said(f.Delimiter), said(old.Delimiter), true, func() { q.File.Delimiter = old.Delimiter })
	settle("header", asSaid(f.Header), asSaid(old.Header), true, func() { q.File.Header = old.Header })
	settle("lines before the header", counted(f.Skip), counted(old.Skip), true, func() { q.File.Skip = old.Skip })
	settle("sheet", said(f.Sheet), said(old.Sheet), true, func() { q.File.Sheet = old.Sheet })
	settle("columns left out", asTexts(f.LeaveOut), asTexts(old.LeaveOut), true,
		func() { q.File.LeaveOut = old.LeaveOut })
	settle("layouts of items", asTexts(f.Items), asTexts(old.Items), true, func() { q.File.Items = old.Items })
	settle("marks of missing values", f.Missing, old.Missing, false, func() { q.File.Missing = old.Missing })
	settle("merged variants", truth(f.Merge), truth(old.Merge), false, func() { q.File.Merge = true })
	all := maps.Clone(own.Columns)
	maps.Copy(all, earlier.Columns)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c, o, now, of := own.Columns[name], earlier.Columns[name], q.Columns[name], " of "+strconv.Quote(name)
		if len(without(o.Missing, now.NotMissing)) < len(o.Missing) {
			contrary = append(contrary, "missing values"+of)
		} else {
			settle("missing values"+of, c.Missing, o.Missing, false, func() { now.Missing = o.Missing })
		}
		settle("kind"+of, said(c.Kind), said(o.Kind), true, func() { now.Kind = o.Kind })
		settle("dates"+of, said(c.Dates), said(o.Dates), true, func() { now.Dates = o.Dates })
		settle("numbers"+of, said(c.Numbers), said(o.Numbers), true, func() { now.Numbers = o.Numbers })
		if o.Cut != "" && !points(c.Cut) { // a rule finds other points in every table
			c.Cut = ""
		}
		settle("ranges"+of, said(string(c.Cut)), said(string(o.Cut)), true, func() { now.Cut = o.Cut })
		settle("ends"+of, c.Domain, o.Domain, true, func() { now.Domain, now.Outside = o.Domain, o.Outside })
		q.Columns[name] = now
	}
	return &q, taken, contrary
}

// points reports whether a cut says where, in place of a rule that finds it.
func points(cut Text) bool {
	c, err := discretise.ParseCut(string(cut))
	return err == nil && c.Points != nil
}

// said is what one setting says, nil for nothing.
func said(s string) []Text {
	if s == "" {
		return nil
	}
	return []Text{Text(s)}
}

// counted is what a number says, nil for none.
func counted(n int) []Text {
	if n == 0 {
		return nil
	}
	return []Text{Text(strconv.Itoa(n))}
}

// asSaid is what yes or no says, nil for neither.
func asSaid(yes *bool) []Text {
	if yes == nil {
		return nil
	}
	return []Text{Text(strconv.FormatBool(*yes))}
}

// asTexts is what a list says, nil for nothing.
func asTexts(list []string) (out []Text) {
	for _, s := range list {
		out = append(out, Text(s))
	}
	return out
}

func truth(yes bool) []Text {
	if !yes {
		return nil
	}
	return []Text{"true"}
}

// sameTexts compares texts whose order does not matter.
func sameTexts(a, b []Text) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}
