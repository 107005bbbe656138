package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/relation"
	"github.com/dither-data/dither/table"
)

// This file turns flags into the policy that they say. Every verb says it in the same flags, and in the same words.

// said is a policy as flags say it. Those that are one field of it fill it at once; the others are read by source.
type said struct {
	policy.Policy
	file      string   // path of the policy file
	roles     []string // column=role
	keepText  []string // columns
	missing   []string // text, or column=text
	cuts      []string
	values    []string // column=text
	dates     []string // column=notation
	numbers   []string // column=example
	header    bool     // the first line names the columns, whatever it looks like
	noHeader  bool
	trees     []string // value generalisation hierarchies, column=file
	pseudonym []string // columns
	relation  []string // what holds between columns
	relations string   // found or none
	within    string   // tree, forest or columns
	set       []string // name=value, measure.name=value
	intruder  intruders
}

// hierarchyFlag adds the flag for the verbs that generalise or judge what was generalised.
func (f *said) hierarchyFlag(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.trees, "hierarchy", nil, "generalisation hierarchy of a column: `column=file`, a CSV "+
		"file in ARX format; may be repeated")
}

// sensitiveFlag adds the flag for the verbs that hide patterns or judge how they were hidden.
func (f *said) sensitiveFlag(c *cobra.Command) {
	c.Flags().StringVar(&f.SensitiveFile, "sensitive", "", "patterns to hide: a `file` with one per line, itemsets "+
		"(bread,milk) or rules (bread=>jam), with items as \"dither mine itemsets\" prints them; * matches any")
}

// modelFlag adds the flag for the verbs that judge what a release is still good for.
func (f *said) modelFlag(c *cobra.Command) {
	c.Flags().StringVar(&f.IQM, "iqm", "", "information quality model: a YAML `file` with the purposes of the table, "+
		"for which the release is judged; \"dither inspect --write-iqm\" proposes one")
}

func (f *said) declare(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.Class, "class", "", "the column that decision rules predict")
	fl.StringArrayVar(
		&f.roles,
		"role",
		nil,
		"set a column's role: `column=role`, one of "+strings.Join(
			table.RoleNames(),
			", ",
		)+", or id, qi, sensitive for short; may be repeated",
	)
	fl.StringArrayVar(&f.keepText, "keep-text", nil, "keep this `column` although it looks like names, contact details, "+
		"codes or free text, and its values that do so and that few people have; recorded; may be repeated")
	fl.StringVar(&f.file, "policy", "", "read roles, domains, technique and thresholds from a policy `file` (YAML)")
	fl.StringVar(&f.File.Delimiter, "delimiter", "", "delimiter of a text file: comma, semicolon, tab, pipe, blank (a "+
		"space) or any one character (default: detected)")
	fl.StringArrayVar(&f.File.Items, "items", nil, "read item sets: `column:separator`, such as 'codes:;' for cells like "+
		"I10;E11, visit:code for a row per code, wide:dx_ for 0/1 columns of this prefix, or wide: for all; may be "+
		"repeated")
	fl.StringVar(&f.File.Encoding, "encoding", "", "encoding of a text file, such as windows-1252; also used for the "+
		"release (default: detected)")
	fl.StringVar(&f.File.Query, "query", "", "read the result of this `SELECT` from the database postgres://..., "+
		"instead of a table (?table=NAME)")
	fl.StringVar(&f.File.Layout, "layout", "", "`file` that says where the columns of a text of fixed width stand: DATA "+
		"LIST of SPSS, a dictionary of Stata or a codebook of DDI in XML")
	fl.StringVar(&f.File.Sheet, "sheet", "", "read this sheet of an Excel workbook (default: the first visible one)")
	fl.StringArrayVar(&f.missing, "missing", nil, "another `text` that means missing, besides empty, ?, NA and NaN; "+
		"column=text for one column only, such as age=999; may be repeated")
	fl.StringArrayVar(&f.values, "not-missing", nil, "a text or number that is a value of its column: `column=text`, "+
		"such as change=-99, which is read as missing where it cannot be one; may be repeated")
	fl.BoolVar(&f.File.Merge, "merge-variants", false, "merge texts that differ only in case, spaces or characters that "+
		"look alike, or that abbreviate the only other value to its initial")
	fl.StringArrayVar(&f.dates, "dates", nil, "notation of the dates in a column: `column=notation`, such as "+
		"born=dd/mm/yyyy or 'seen=dd.mm.yy from 1926'; may be repeated (default: detected)")
	fl.StringArrayVar(&f.numbers, "numbers", nil, "notation of the numbers in a column, by an example with both signs: "+
		"`column=example`, such as income=1.234,56, 1,234.56, 1234,56 or '1 234,56'; may be repeated (default: detected)")
	fl.StringArrayVar(&f.cuts, "cut", nil, "make ranges of the numbers of the class, or of a `column=rule`: 20%top, "+
		"20%bottom, equal-width:5, equal-frequency:5, entropy (where the class changes), or the points such as 19.5,33")
	fl.BoolVar(&f.noHeader, "no-header", false, "the first line is a record; the columns are named c1, c2, ...")
	fl.BoolVar(&f.header, "header", false, "the first line names the columns, even where it looks like a record")
	c.MarkFlagsMutuallyExclusive("header", "no-header")
	fl.IntVar(&f.File.Skip, "skip", 0, "leave out this many `lines` before the header")
	fl.StringSliceVar((*[]string)(&f.File.LeaveOut), "leave-out", nil, "read the table without these `columns`, "+
		"comma-separated; may be repeated")
	fl.BoolVar(&f.Complete, "complete", false, "leave out records with missing values")
}

// source is the table at a path, with the policy that the flags say.
func (f *said) source(path string) (desk.Source, error) {
	s := desk.Source{Path: path, Policy: f.file, Said: f.Policy}
	s.Said.Columns = map[string]policy.Column{}
	column := func(name string, say func(c *policy.Column)) {
		c := s.Said.Columns[name]
		say(&c)
		s.Said.Columns[name] = c
	}
	for _, read := range []func(*policy.Policy, func(string, func(*policy.Column))) error{f.readRoles, f.readDates,
		f.readNumbers, f.readTrees} {
		if err := read(&s.Said, column); err != nil {
			return s, err
		}
	}
	if f.header || f.noHeader {
		s.Said.File.Header = &f.header
	}
	for _, name := range f.keepText {
		column(name, func(c *policy.Column) { c.KeepText = true })
	}
	for _, name := range f.pseudonym {
		column(name, func(c *policy.Column) { c.Identifier = "pseudonymise" })
	}
	for _, m := range f.missing {
		if at := strings.LastIndexByte(m, '='); at > 0 { // the name of a column may hold one
			column(m[:at], func(c *policy.Column) { c.Missing = append(c.Missing, policy.Text(m[at+1:])) })
		} else if at < 0 {
			s.Said.File.MissingBesides = append(s.Said.File.MissingBesides, policy.Text(m))
		}
	}
	for _, m := range f.values {
		at := strings.LastIndexByte(m, '=')
		if at <= 0 {
			return s, &desk.Usage{Field: "not-missing", Value: m, Err: errors.New("expected column=text")}
		}
		column(m[:at], func(c *policy.Column) { c.NotMissing = append(c.NotMissing, policy.Text(m[at+1:])) })
	}
	for _, m := range f.cuts {
		name, rule := s.Said.Class, m
		if at := strings.LastIndexByte(m, '='); at > 0 {
			name, rule = m[:at], m[at+1:]
		}
		if name == "" {
			return s, &desk.Usage{Field: "cut", Value: m, Err: errors.New("name the class (--class COLUMN), or the column: " +
				"column=" + m)}
		}
		column(name, func(c *policy.Column) { c.Cut = policy.Text(rule) })
	}
	if len(s.Said.Columns) == 0 {
		s.Said.Columns = nil
	}
	if err := f.readRelations(&s.Said); err != nil {
		return s, err
	}
	return s, f.readIntruders(&s.Said)
}

// released is the source of a release that is made, with the technique that the flags say.
func (f *said) released(path string) (desk.Source, error) {
	s, err := f.source(path)
	if err != nil {
		return s, err
	}
	switch f.within {
	case "":
	case "tree", "forest":
		s.Said.Method.Within = &policy.Within{By: f.within}
	default:
		s.Said.Method.Within = &policy.Within{By: "columns", Columns: param.SplitNames(f.within)}
	}
	own, err := sets(f.set)
	if err != nil {
		return s, err
	}
	for key, value := range own {
		name, par, dotted := strings.Cut(key, ".")
		if _, err := desk.Measures.Find(name); dotted && err == nil {
			measured(&s.Said, name, par, value)
			continue
		}
		if s.Said.Method.Set == nil {
			s.Said.Method.Set = map[string]policy.Text{}
		}
		s.Said.Method.Set[key] = policy.Text(value)
	}
	return s, nil
}

// compared is the source of an original that a release is compared with, with the parameters of measures that the flags
// say.
func (f *said) compared(path string) (desk.Source, error) {
	s, err := f.source(path)
	if err != nil {
		return s, err
	}
	own, err := sets(f.set)
	for key, value := range own {
		name, par, dotted := strings.Cut(key, ".")
		if err == nil && !dotted {
			err = &desk.Usage{Field: "set", Value: key, Err: errors.New("expected measure.name=value, where the measure is " +
				"one of those taken")}
		}
		measured(&s.Said, name, par, value)
	}
	return s, err
}

// measured says a parameter of a measure.
func measured(p *policy.Policy, name, par, value string) {
	if p.Measures == nil {
		p.Measures = map[string]map[string]policy.Text{}
	}
	if p.Measures[name] == nil {
		p.Measures[name] = map[string]policy.Text{}
	}
	p.Measures[name][par] = policy.Text(value)
}

// readRoles reads --role.
func (f *said) readRoles(p *policy.Policy, column func(string, func(*policy.Column))) error {
	for _, r := range f.roles {
		at := strings.LastIndexByte(r, '=') // a column's name may hold one
		role, err := table.ParseRole(strings.TrimSpace(r[at+1:]))
		words := strings.Split(strings.TrimSpace(r[at+1:]), "+")
		for _, word := range words {
			if hint := spelling.Hint(word, table.RoleWords()); at > 0 && err != nil && hint != "" &&
				!slices.Contains(table.RoleWords(), word) {
				return wrong("--role %q: %q is not a role%s", r, word, hint)
			}
		}
		if at <= 0 || err != nil {
			return wrong("--role %q: expected column=role with a role of %s", r, strings.Join(table.RoleNames(), ", "))
		}
		if r[:at] == f.Class && (role == 0 || role&table.Identifier != 0) {
			return wrong("--class %s and --role %s contradict each other: a class is released and predicted; leave out one",
				f.Class, r)
		}
		column(r[:at], func(c *policy.Column) { c.Role = append(c.Role, words...) })
		if role&table.Class != 0 && f.Class == "" {
			p.Class = r[:at]
		}
	}
	return nil
}

// readRelations reads --relation, --relations and --sums.
func (f *said) readRelations(p *policy.Policy) error {
	if _, err := p.SharesOfSums(); err != nil {
		return wrong("--%v", err)
	}
	switch f.relations {
	case "":
		if len(f.relation) > 0 {
			p.Relations = policy.Words{policy.FindRelations}
		}
	case policy.FindRelations:
		p.Relations = policy.Words{policy.FindRelations}
	case policy.NoRelations:
		if p.Relations = (policy.Words{policy.NoRelations}); len(f.relation) > 0 {
			p.Relations = nil // those that are given, and no others
		}
	default:
		return wrong("--relations %q: expected found or none; --relation gives one", f.relations)
	}
	for _, text := range f.relation {
		if _, err := relation.Parse(text); err != nil {
			return wrong("--relation: %v", err)
		}
		p.Relations = append(p.Relations, text)
	}
	return nil
}

// readDates reads --dates.
func (f *said) readDates(_ *policy.Policy, column func(string, func(*policy.Column))) (err error) {
	for _, t := range f.dates {
		at := strings.LastIndexByte(t, '=')
		if at <= 0 || at == len(t)-1 {
			return wrong("--dates %q: expected column=notation, such as born=dd/mm/yyyy", t)
		}
		column(t[:at], func(c *policy.Column) {
			if c.Dates != "" {
				err = wrong("--dates: column %q has two notations", t[:at])
			}
			c.Dates = t[at+1:]
		})
	}
	return err
}

// readNumbers reads --numbers.
func (f *said) readNumbers(_ *policy.Policy, column func(string, func(*policy.Column))) (err error) {
	for _, t := range f.numbers {
		at := strings.LastIndexByte(t, '=')
		if at <= 0 || at == len(t)-1 {
			return wrong("--numbers %q: expected column=example, such as income=1.234,56", t)
		}
		column(t[:at], func(c *policy.Column) {
			if c.Numbers != "" {
				err = wrong("--numbers: column %q has two notations", t[:at])
			}
			c.Numbers = t[at+1:]
		})
	}
	return err
}

// readTrees reads --hierarchy.
func (f *said) readTrees(_ *policy.Policy, column func(string, func(*policy.Column))) (err error) {
	for _, t := range f.trees {
		name, file, ok := strings.Cut(t, "=")
		if !ok || name == "" || file == "" {
			return wrong("--hierarchy %q: expected column=file", t)
		}
		column(name, func(c *policy.Column) {
			if c.Hierarchy != "" {
				err = wrong("--hierarchy: column %q has two", name)
			}
			c.Hierarchy = file
		})
	}
	return err
}

// limitFlags adds the flags that say what a release must keep.
func (f *said) limitFlags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.Limits, "limits", "",
		"limits that the release must meet: "+strings.Join(limit.Names(), ", ")+", or a `file` of limits (YAML)")
	fl.IntVar(&f.SampledFrom, "sampled-from", 0, "the table is a sample of a population of so many `people`, whom an "+
		"intruder who does not know who is in it reckons with")
	fl.StringArrayVar(&f.Accept, "accept", nil, "override one limit: `limit=value`, which is recorded, such as "+
		"found=0.2, lookup=0.05 or text=COLUMN, or seed alone; may be repeated")
}

// releaseFlags adds the flags that say how a release is made, whatever the technique.
func (f *said) releaseFlags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringArrayVar(&f.pseudonym, "pseudonymise", nil, "replace this identifier `column` with a keyed pseudonym "+
		"instead of dropping it; may be repeated")
	f.relationFlags(c)
	fl.BoolVar(&f.KeepOrder, "keep-order", false, "keep the order of the original; anyone who knows that order can "+
		"identify every record")
	fl.StringVar(&f.DatesShift, "dates-shift", "", "move all dates of a person by one random offset, so that intervals "+
		"stay: `person`, or with whole weeks and the most days (365): person,weeks,90")
	fl.StringArrayVar((*[]string)(&f.Shared), "shared", nil, "what other holders released of the same columns: a `file` "+
		"to which morph adds only what it lacks; may be repeated")
	fl.StringVar(&f.Impute, "impute", "", "fill in missing values by `method` before the technique sees them, so that "+
		"nobody is found by their gaps: dmi or simi, which needs a class (or none)")
	fl.BoolVar(&f.ImputeMarks, "impute-marks", false, "say in the release which values are imputed, in columns NAME_imp; "+
		"they show the gaps again")
	fl.IntVar(&f.RoundWeights, "round-weights", 0, "let at least so many `units` of similar weight share their mean, so "+
		"that no weight points at one and totals stay")
	f.blankFlag(c)
	f.guardFlag(c)
}

func (f *said) seedFlag(c *cobra.Command) {
	c.Flags().StringVar((*string)(&f.Seed), "seed", "", "draw with a `short` seed such as 42, the same in Python and R; "+
		"it can be tried out, so the release is withheld unless --accept seed says that this does no harm")
}

func (f *said) guardFlag(c *cobra.Command) {
	c.Flags().BoolVar(&f.GuardFormulas, "guard-formulas", false, "put an apostrophe before categories that begin with =, "+
		"+, - or @, so that spreadsheets do not run them as formulas")
}

func (f *said) blankFlag(c *cobra.Command) {
	c.Flags().BoolVar(&f.BlankLookups, "blank-lookups", false, "suppress cells until nobody can be looked up by "+
		"unchanged values")
}

// relationFlags adds the flags that say what holds between columns.
func (f *said) relationFlags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringArrayVar(&f.relation, "relation", nil, "what holds between columns and the release keeps, besides what is "+
		"found: `relation` such as \"total = a + b\", \"in <= out\" or \"code -> label\"; may be repeated")
	fl.StringVar(&f.relations, "relations", "", "what holds between columns and the release keeps: `found` (the default) "+
		"or none")
	fl.StringVar(&f.Sums, "sums", "", "what a release keeps of sums between columns: their `parts` (the default), or "+
		"shares: the total and the parts' shares of it")
}

// assignments splits parameters written as name=value, in their order.
func assignments(flags []string) ([]desk.Assignment, error) {
	var out []desk.Assignment
	for _, s := range flags {
		k, v, ok := strings.Cut(s, "=")
		if !ok || k == "" {
			return nil, wrong("--set %q: expected name=value", s)
		}
		if slices.ContainsFunc(out, func(a desk.Assignment) bool { return a.Name == k }) {
			return nil, wrong("--set %q: %s is set twice", s, k)
		}
		out = append(out, desk.Assignment{Name: k, Value: v})
	}
	return out, nil
}

// sets are assignments whose order does not matter.
func sets(flags []string) (map[string]string, error) {
	list, err := assignments(flags)
	out := map[string]string{}
	for _, a := range list {
		out[a.Name] = a.Value
	}
	return out, err
}

// intruders is the flags that say whom a release is to withstand.
type intruders struct {
	knows, secret     string
	outsider, unaware bool
	channels          intruder.Intruder // what else this intruder knows
}

// intruderFlags adds them.
func (s *said) intruderFlags(c *cobra.Command) {
	fl, f := c.Flags(), &s.intruder
	fl.StringArrayVar((*[]string)(&s.IntruderFiles), "intruder", nil, "read intruders from a policy `file` (section "+
		"intruders); may be repeated (default: those of --policy, else one who knows "+
		"the quasi-identifiers and one who knows everything but the class)")
	fl.StringVar(&f.knows, "knows", "", "add an intruder who knows these `columns` of the target, comma-separated: "+
		"age~2 for a number known to within 2, \"all\", \"role:quasi-identifier\"")
	fl.StringVar(&f.secret, "secret", "", "the `columns` that this intruder wants to learn (default: the confidential "+
		"ones and the class)")
	fl.BoolVar(&f.outsider, "outsider", false, "this intruder does not know whether the target is in the file")
	fl.BoolVar(&f.unaware, "unaware", false, "this intruder does not know the technique")
	fl.BoolVar(&f.channels.Gaps, "gaps", false, "this intruder knows which values of the target are missing (implied by "+
		"\"all\")")
	fl.BoolVar(&f.channels.Order, "order", false, "this intruder knows the order of the original records")
	fl.BoolVar(&f.channels.Plan, "leaked-plan", false, "this intruder has the plan")
	fl.StringVar(&f.channels.Person, "person", "", "this intruder can link the records of one person, as this `column` "+
		"does; it need not be in the release")
}

// readIntruders reads whom the flags describe.
func (s *said) readIntruders(p *policy.Policy) error {
	f := &s.intruder
	var i intruder.Intruder
	if f.knows == "" && (f.secret != "" || f.outsider || f.unaware) {
		return usageError{errors.New("--secret, --outsider and --unaware describe an intruder: say what the " +
			"intruder knows with --knows")}
	}
	if f.knows != "" {
		var err error
		if i, err = desk.DescribeIntruder(f.knows, f.secret, f.outsider, f.unaware); err != nil {
			return err
		}
	}
	if i = desk.WithChannels(i, f.channels); i.Name != "" {
		p.Intruders = []intruder.Intruder{i}
	}
	return nil
}

// wrong is a wrong call.
func wrong(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }
