package policy

import (
	"cmp"
	"maps"
	"slices"

	"github.com/dither-data/dither/table"
)

// With returns the policy with what a caller says laid over it, as flags are laid over a policy file. What the caller
// says wins; parameters, thresholds, limits by name and marks of missing values are added to those there are; what the
// caller does not say stays. Neither policy changes, and what is wrong in the file still has its place there. Cost:
// O(columns).
func (p *Policy) With(said *Policy) *Policy {
	out := *p
	out.Version = cmp.Or(said.Version, p.Version)
	out.File = p.File.with(&said.File)
	out.columns(p, said)
	out.technique(said)
	out.limits(said)
	out.Tables = p.Tables.with(&said.Tables)
	out.Complete = p.Complete || said.Complete
	out.Recur = p.Recur || said.Recur
	out.DatesShift = cmp.Or(said.DatesShift, p.DatesShift)
	out.RoundWeights = cmp.Or(said.RoundWeights, p.RoundWeights)
	out.Impute = cmp.Or(said.Impute, p.Impute)
	out.ImputeMarks = p.ImputeMarks || said.ImputeMarks
	out.SampledFrom = cmp.Or(said.SampledFrom, p.SampledFrom)
	out.BlankLookups = p.BlankLookups || said.BlankLookups
	out.KeepOrder = p.KeepOrder || said.KeepOrder
	out.GuardFormulas = p.GuardFormulas || said.GuardFormulas
	out.Seed = cmp.Or(said.Seed, p.Seed)
	out.Public = p.Public || said.Public
	out.IQM = cmp.Or(said.IQM, p.IQM)
	if said.Sensitive != nil || said.SensitiveFile != "" {
		out.Sensitive, out.SensitiveFile = said.Sensitive, said.SensitiveFile
	}
	if said.Intruders != nil || said.IntruderFiles != nil {
		out.Intruders, out.IntruderFiles = said.Intruders, said.IntruderFiles
	}
	out.Relations = p.related(said.Relations)
	out.Sums = cmp.Or(said.Sums, p.Sums)
	if len(said.Shared) > 0 {
		out.Shared = said.Shared
	}
	if len(said.Earlier) > 0 {
		out.Earlier = said.Earlier
	}
	return &out
}

// with is With of how a file is read.
func (f *File) with(said *File) File {
	out := *f
	out.Delimiter = cmp.Or(said.Delimiter, f.Delimiter)
	out.Encoding = cmp.Or(said.Encoding, f.Encoding)
	out.Skip = cmp.Or(said.Skip, f.Skip)
	if said.Header != nil {
		out.Header = said.Header
	}
	out.Layout = cmp.Or(said.Layout, f.Layout)
	out.Sheet = cmp.Or(said.Sheet, f.Sheet)
	out.Query = cmp.Or(said.Query, f.Query)
	out.Merge = f.Merge || said.Merge
	out.MissingOut = cmp.Or(said.MissingOut, f.MissingOut)
	out.LeaveOut = slices.Concat(f.LeaveOut, said.LeaveOut)
	if len(said.Items) > 0 {
		out.Items = said.Items
	}
	if said.Missing != nil {
		out.Missing = said.Missing
	}
	out.MissingBesides = slices.Concat(f.MissingBesides, said.MissingBesides)
	return out
}

// technique lays the technique of a caller over that of the file: another one has its own parameters, and without one
// those of the caller are added.
func (p *Policy) technique(said *Policy) {
	if said.Method.Name != "" || said.Stages != nil {
		p.Method, p.Stages = said.Method, said.Stages
		return
	}
	m := &p.Method
	m.Set = joined(m.Set, said.Method.Set)
	if w := said.Method.Within; w != nil && m.Within != nil && w.By == m.Within.By {
		m.Within = &Within{By: w.By, Columns: w.Columns, Set: joined(m.Within.Set, w.Set)}
	} else {
		m.Within = cmp.Or(w, m.Within)
	}
}

// limits adds what a caller says that a release must keep, and how it is measured.
func (p *Policy) limits(said *Policy) {
	p.Limits = cmp.Or(said.Limits, p.Limits)
	bounds := slices.DeleteFunc(slices.Clone(p.Thresholds), func(t Threshold) bool {
		return slices.ContainsFunc(said.Thresholds, func(o Threshold) bool { return o.Measure == t.Measure })
	})
	p.Thresholds = slices.Concat(bounds, said.Thresholds)
	p.AtMost = slices.Concat(p.AtMost, said.AtMost)
	p.Accept = slices.Concat(p.Accept, said.Accept)
	if len(said.Measures) > 0 {
		p.Measures = maps.Clone(p.Measures)
		for name, set := range said.Measures {
			p.Measures = joined(p.Measures, map[string]map[string]Text{name: joined(p.Measures[name], set)})
		}
	}
}

// joined are the entries of two maps, those of the second where both have one.
func joined[V any](a, b map[string]V) map[string]V {
	if len(b) == 0 {
		return a
	}
	out := maps.Clone(a)
	if out == nil {
		out = map[string]V{}
	}
	maps.Copy(out, b)
	return out
}

// columns lays what a caller says of the class and of columns over what the file says. The class of the caller is the
// only one: the role class is taken off the other columns, and whether the table has the class is for the reader of the
// table to check.
func (p *Policy) columns(file, said *Policy) {
	class, word := said.Class, table.Class.String()
	for _, name := range slices.Sorted(maps.Keys(said.Columns)) {
		if c := said.Columns[name]; class == "" && slices.Contains(c.Role, word) {
			class = name
		}
	}
	if class != "" {
		p.Class, p.classGiven = class, true
	}
	another := func(name string) bool { // is a class in the file, and no longer
		return class != "" && name != class && slices.Contains(file.Columns[name].Role, word)
	}
	if len(said.Columns) == 0 && !anyKey(file.Columns, another) {
		return // the columns stay as they are, of which there may be many thousand
	}
	p.Columns = make(map[string]Column, len(file.Columns)+len(said.Columns))
	for name, c := range file.Columns {
		if another(name) {
			if c.Role = c.Role.without(word); len(c.Role) == 0 {
				c.Role = nil // as a column that the policy gives no role
			}
		}
		p.Columns[name] = c
	}
	for name, c := range said.Columns {
		if c.Role != nil && name != p.Class {
			if c.Role = c.Role.without(word); len(c.Role) == 0 {
				c.Role = Roles{table.Role(0).String()}
			}
		}
		p.Columns[name] = p.Columns[name].with(&c)
	}
}

// anyKey reports whether a key of a map is such a one.
func anyKey[V any](m map[string]V, such func(string) bool) bool {
	for k := range m {
		if such(k) {
			return true
		}
	}
	return false
}

// without returns the roles but one.
func (r Roles) without(word string) Roles {
	return slices.DeleteFunc(slices.Clone(r), func(w string) bool { return w == word })
}

// without returns the texts but for some.
func without(list, some []Text) []Text {
	if len(some) == 0 {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(t Text) bool { return slices.Contains(some, t) })
}

// with is With of a column.
func (c Column) with(said *Column) Column {
	switch {
	case said.Role != nil:
		c.Role = said.Role
		if said.Role.bits()&table.Identifier == 0 {
			c.Identifier = "" // the caller says that it is none
		}
	case said.KeepText:
		c.Role, c.Identifier = nil, ""
	}
	c.Kind = cmp.Or(said.Kind, c.Kind)
	c.Dates = cmp.Or(said.Dates, c.Dates)
	c.Numbers = cmp.Or(said.Numbers, c.Numbers)
	c.Outside = cmp.Or(said.Outside, c.Outside)
	c.Cut = cmp.Or(said.Cut, c.Cut)
	c.Step = cmp.Or(said.Step, c.Step)
	c.Hierarchy = cmp.Or(said.Hierarchy, c.Hierarchy)
	c.Identifier = cmp.Or(said.Identifier, c.Identifier)
	c.Keep = c.Keep || said.Keep
	c.KeepText = c.KeepText || said.KeepText
	c.Missing = slices.Concat(without(c.Missing, said.NotMissing), said.Missing)
	c.NotMissing = slices.Concat(without(c.NotMissing, said.Missing), said.NotMissing)
	if said.Domain != nil {
		c.Domain = said.Domain
	}
	if said.Values != nil {
		c.Values = said.Values
	}
	return c
}
