package desk

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/table"
)

// oldRun is a run as plans kept it before they kept what the caller said as a policy: their releases can still be made
// again.
type oldRun struct {
	Source *struct {
		Query, Class, Policy, Encoding, Delimiter, Sheet, Sensitive, IQM string
		Roles                                                            []struct {
			Column string
			Role   table.Role
		}
		Items, KeepText, Missing []string
		MergeVariants, Complete  bool
		Dates, Hierarchies       map[string]string
	}
	Pseudonymise, Accept, AtMost           []string
	KeepOrder, GuardFormulas, BlankLookups bool
	Limits                                 string
}

// UnmarshalJSON reads a run, of this version or of one before.
func (r *run) UnmarshalJSON(data []byte) error {
	type plain run
	if err := json.Unmarshal(data, (*plain)(r)); err != nil {
		return err
	}
	var old oldRun
	if err := json.Unmarshal(data, &old); err != nil || old.Source == nil {
		return err
	}
	s := old.Source
	r.Policy = s.Policy
	r.Said = policy.Policy{
		Class:         s.Class,
		Complete:      s.Complete,
		SensitiveFile: s.Sensitive,
		IQM:           s.IQM,
		Columns:       old.columns(),
		File: policy.File{
			Query:     s.Query,
			Encoding:  s.Encoding,
			Delimiter: s.Delimiter,
			Sheet:     s.Sheet,
			Items:     s.Items,
			Merge:     s.MergeVariants,
		},
		KeepOrder:     old.KeepOrder,
		GuardFormulas: old.GuardFormulas,
		BlankLookups:  old.BlankLookups,
		Limits:        old.Limits,
		Accept:        old.Accept,
		AtMost:        old.AtMost,
	}
	for _, m := range s.Missing {
		if !strings.Contains(m, "=") {
			r.Said.File.MissingBesides = append(r.Said.File.MissingBesides, policy.Text(m))
		}
	}
	return nil
}

// columns is what the caller said of columns.
func (old *oldRun) columns() map[string]policy.Column {
	out := map[string]policy.Column{}
	say := func(name string, c policy.Column) {
		had := out[name]
		c.Role, c.Missing = append(had.Role, c.Role...), append(had.Missing, c.Missing...)
		c.Dates, c.Hierarchy = cmp.Or(c.Dates, had.Dates), cmp.Or(c.Hierarchy, had.Hierarchy)
		c.Identifier, c.KeepText = cmp.Or(c.Identifier, had.Identifier), c.KeepText || had.KeepText
		out[name] = c
	}
	for _, r := range old.Source.Roles {
		say(r.Column, policy.Column{Role: strings.Split(r.Role.String(), "+")})
	}
	for _, name := range old.Source.KeepText {
		say(name, policy.Column{KeepText: true})
	}
	for _, name := range old.Pseudonymise {
		say(name, policy.Column{Identifier: "pseudonymise"})
	}
	for _, m := range old.Source.Missing {
		if at := strings.LastIndexByte(m, '='); at > 0 {
			say(m[:at], policy.Column{Missing: []policy.Text{policy.Text(m[at+1:])}})
		}
	}
	for name, notation := range old.Source.Dates {
		say(name, policy.Column{Dates: notation})
	}
	for name, path := range old.Source.Hierarchies {
		say(name, policy.Column{Hierarchy: path})
	}
	return out
}
