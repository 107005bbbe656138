package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/spelling"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/table"
)

// This file turns the flags that several verbs share into the parts of a request.

// input is the flags that say how a table is read and what its columns are.
type input struct {
	class     string
	roles     []string
	policy    string
	delimiter string
	encoding  string
	query     string
	sheet     string
	items     []string
	keepText  []string
	missing   []string
	merge     bool
	dates     []string // notations of dates, column=notation
	complete  bool
	sensitive string   // file
	iqm       string   // file
	trees     []string // value generalisation hierarchies, column=file
}

// hierarchyFlag adds the flag for the verbs that generalise or judge what was generalised.
func (f *input) hierarchyFlag(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.trees, "hierarchy", nil, "the value generalisation hierarchy of a column: `column=file`, a CSV file as ARX writes it; may be repeated")
}

// sensitiveFlag adds the flag for the verbs that hide patterns or judge how they were hidden.
func (f *input) sensitiveFlag(c *cobra.Command) {
	c.Flags().StringVar(&f.sensitive, "sensitive", "", "a `file` of what is to be hidden, a line each: itemsets such as bread,milk and rules such as bread,milk=>jam, items as \"dither mine itemsets\" prints them; * stands for any: bread,* and *=>jam")
}

// modelFlag adds the flag for the verbs that judge what a release is still good for.
func (f *input) modelFlag(c *cobra.Command) {
	c.Flags().StringVar(&f.iqm, "iqm", "", "a `file` (YAML) of what the table is for, an information quality model: its purposes are judged in the release; \"dither inspect --write-iqm\" proposes one")
}

func (f *input) declare(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.class, "class", "", "the column that decision rules predict")
	fl.StringArrayVar(&f.roles, "role", nil, "set a column's role: `column=role`, role one of "+strings.Join(table.RoleNames(), ", ")+", or id, qi, sensitive for short; may be repeated")
	fl.StringArrayVar(&f.keepText, "keep-text", nil, "keep this `column` although its texts look like names, contacts, codes of people or free text, which is recorded; may be repeated")
	fl.StringVar(&f.policy, "policy", "", "read roles, domains, technique and thresholds from a policy `file` (YAML)")
	fl.StringVar(&f.delimiter, "delimiter", "", "separator of a text file: comma, semicolon, tab, pipe, blank or one character (default: found out)")
	fl.StringArrayVar(&f.items, "items", nil, "read sets of items: `column:separator`, such as 'diagnoses:;' for cells like I10;E11, visit:code for a row per code of a visit, wide:dx_ for columns of 0 and 1 whose names begin so, "+
		"or wide: for all such columns, also of a sparse ARFF file; may be repeated")
	fl.StringVar(&f.encoding, "encoding", "", "the encoding of a text file, such as windows-1252, in which the release is written too (default: found out)")
	fl.StringVar(&f.query, "query", "", "read the answer to this `SELECT` of the database postgres://..., instead of one of its tables (?table=NAME)")
	fl.StringVar(&f.sheet, "sheet", "", "read this sheet of an Excel workbook (default: the first one that is not hidden)")
	fl.StringArrayVar(&f.missing, "missing", nil, "a `text` that means missing besides empty, ?, NA and NaN, or column=text for one in that column only, such as age=999; may be repeated")
	fl.BoolVar(&f.merge, "merge-variants", false, "make one of texts that differ only in case, in blanks, or as the initial of the only other one")
	fl.StringArrayVar(&f.dates, "dates", nil, "how the dates of a column are written: `column=notation`, such as born=dd/mm/yyyy or 'seen=dd.mm.yy from 1926'; may be repeated (default: found out)")
	fl.BoolVar(&f.complete, "complete", false, "leave out records that miss any value")
}

// source is the table at a path, read as the flags say.
func (f *input) source(path string) (desk.Source, error) {
	s := desk.Source{Path: path, Class: f.class, Policy: f.policy, Delimiter: f.delimiter, Encoding: f.encoding, Query: f.query, Sheet: f.sheet, Items: f.items, KeepText: f.keepText, Missing: f.missing, Merge: f.merge, Complete: f.complete, Sensitive: f.sensitive, IQM: f.iqm, Hierarchies: map[string]string{},
		Dates: map[string]string{}}
	for _, r := range f.roles {
		at := strings.LastIndexByte(r, '=') // a column's name may hold one
		role, err := table.ParseRole(strings.TrimSpace(r[at+1:]))
		for _, word := range strings.Split(strings.TrimSpace(r[at+1:]), "+") {
			if hint := spelling.Hint(word, table.RoleWords()); at > 0 && err != nil && hint != "" && !slices.Contains(table.RoleWords(), word) {
				return s, wrong("--role %q: %q is not a role%s", r, word, hint)
			}
		}
		if at <= 0 || err != nil {
			return s, wrong("--role %q: expected column=role with a role of %s", r, strings.Join(table.RoleNames(), ", "))
		}
		s.Roles = append(s.Roles, desk.ColumnRole{Column: r[:at], Role: role})
	}
	for _, t := range f.dates {
		at := strings.LastIndexByte(t, '=')
		if at <= 0 || at == len(t)-1 {
			return s, wrong("--dates %q: expected column=notation, such as born=dd/mm/yyyy", t)
		}
		if s.Dates[t[:at]] != "" {
			return s, wrong("--dates: column %q has two notations", t[:at])
		}
		s.Dates[t[:at]] = t[at+1:]
	}
	for _, t := range f.trees {
		column, file, ok := strings.Cut(t, "=")
		if !ok || column == "" || file == "" {
			return s, wrong("--hierarchy %q: expected column=file", t)
		}
		if s.Hierarchies[column] != "" {
			return s, wrong("--hierarchy: column %q has two", column)
		}
		s.Hierarchies[column] = file
	}
	return s, nil
}

// limits is the flags that say what a release must keep.
type limits struct {
	limits string
	accept []string
}

func (f *limits) declare(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&f.limits, "limits", "", "what the release must keep: "+strings.Join(limit.Names(), ", ")+", or a `file` of limits (YAML)")
	fl.StringArrayVar(&f.accept, "accept", nil, "override one limit by name, which is recorded: `limit=value`, such as found=0.2, lookup=0.05 or text=COLUMN; may be repeated")
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
	files             []string
	knows, secret     string
	outsider, unaware bool
	channels          intruder.Intruder // what else this intruder knows
}

func (f *intruders) declare(c *cobra.Command) {
	fl := c.Flags()
	fl.StringArrayVar(&f.files, "intruder", nil, "read intruders from the section intruders of a policy `file`; may be repeated (default: those of --policy, else one who knows "+
		"the quasi-identifiers and one who knows everything but the class)")
	fl.StringVar(&f.knows, "knows", "", "an intruder who knows these `columns` of the target, with commas between: age~2 for a number known within 2, \"all\", \"role:quasi-identifier\"")
	fl.StringVar(&f.secret, "secret", "", "the `columns` that this intruder wants to learn (default: the confidential ones and the class)")
	fl.BoolVar(&f.outsider, "outsider", false, "this intruder does not know whether the target is in the file")
	fl.BoolVar(&f.unaware, "unaware", false, "this intruder does not know the technique")
	fl.BoolVar(&f.channels.Gaps, "gaps", false, "this intruder knows which values of the target are missing (who knows \"all\" does)")
	fl.BoolVar(&f.channels.Order, "order", false, "this intruder knows the order of the original records")
	fl.BoolVar(&f.channels.Plan, "leaked-plan", false, "this intruder has the plan")
	fl.StringVar(&f.channels.Person, "person", "", "this intruder can tell which records are one person's, as this `column` does; the release may lack it")
}

func (f *intruders) request() (q desk.Intruders, err error) {
	q.Files = f.files
	if f.knows == "" && (f.secret != "" || f.outsider || f.unaware) {
		return q, usageError{errors.New("--secret, --outsider and --unaware describe an intruder whose knowledge --knows gives")}
	}
	if f.knows != "" {
		i, err := desk.DescribeIntruder(f.knows, f.secret, f.outsider, f.unaware)
		if err != nil {
			return q, err
		}
		q.Declared = []intruder.Intruder{desk.WithChannels(i, f.channels)}
	} else if i := desk.WithChannels(intruder.Intruder{}, f.channels); i.Name != "" {
		q.Declared = []intruder.Intruder{i}
	}
	return q, nil
}

// wrong is a wrong call.
func wrong(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }
