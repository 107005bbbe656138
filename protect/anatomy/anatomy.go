// Package anatomy is Anatomy (Xiao & Tao 2006), which the thesis of Peters 2011, section 2.4.2, calls anatomization:
// who has which sensitive value is hidden in groups of records, whose other values stay as they are.
//
// The records are divided into groups in which no two have the same sensitive value, each of l records or a few more.
// While l values are left or more, one record of each of the l commonest is drawn and makes a group with the others;
// every record that is left over then goes to a random group that lacks its value. Two tables go out
// (protect.TwoTables): the other columns with the number of each record's group, and every group's sensitive values
// with their counts. Where one table is asked for, it has the sensitive values in a random order inside the groups,
// which tells less: it is one of the many tables that the two are compatible with, as permutation releases it (Zhang,
// Koudas, Srivastava & Yu 2007).
//
// What an informed intruder learns: anyone who knows a person's other values finds the record, for these are as they
// were, and learns that the person is in the file and has one of the group's l values, each with the same chance: 1/l
// for the own one at most. Measures reckon with an intruder who knows the groups (protect.Divided). Anyone who knows
// that a member has none of the others' values learns more, and so does anyone who learns from all groups together
// which values go with which others (Kifer 2009).
//
// Which records meet is drawn by a key in the plan and the records' identities: a plan that is applied to a table again
// forms the same groups, so that no two releases can be intersected.
//
// Departures: of equally common values the first in the order of the labels comes first, where the paper leaves the
// choice open. A record whose sensitive value is missing is in no group.
//
// Cost: O(n log v) for n records of v values, and sorting the records of each value: a release of a million records
// takes 4 times the sorting of a million numbers, on two cores. All records meet.
//
// References: X. Xiao & Y. Tao, "Anatomy: simple and effective privacy preservation", VLDB 2006, definitions 3 to 5 and
// figure 3; D. Kifer, "Attacks on privacy and deFinetti's theorem", SIGMOD 2009; Q. Zhang, N. Koudas, D. Srivastava &
// T. Yu, "Aggregate query answering on anonymized tables", ICDE 2007.
package anatomy

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is the catalogue entry.
var Method = protect.Method{
	Card: card.Card{
		Name:    "anatomy",
		Title:   "Anatomy",
		Aliases: []string{"anatomize", "anatomise", "anatomization", "anatomisation", "bucketization"},
		Summary: "Separates a sensitive column from the others: groups of records have at least l different values, and " +
			"who has which is not told.",
		Paper: "Xiao & Tao 2006; Peters 2011, section 2.4.2",
		Needs: "one categorical sensitive attribute, no value of which more than 1/l of the records have",
		Changes: "the sensitive attribute: its values are dealt out anew inside the groups, or go to a second table with " +
			"their counts by group",
		Preserves: "all other attributes, and the counts of the sensitive values (type A); relations of the others among " +
			"one another",
		Biases: "relations of the sensitive attribute to the others: in one table they weaken to about 1/l of what they " +
			"were (types B, C and DM); recipients of two tables may reckon with each group's shares",
		Exposes: "whose record it is: all other values are as they were; that the person has one of the group's l values; " +
			"which, to anyone who learns from all groups what goes together",
		Missing: "a missing sensitive value stays missing, and its record is in no group",
		Cost:    "O(records * log(values)), and sorting the records of each value",
	},
	Purpose: protect.Swaps,
	Growth:  1,
	New:     func() protect.Technique { return New() },
	Plan:    func() protect.Plan { return &Plan{} },
	Claims: []protect.Claim{protect.Divides, protect.Groups, protect.Notes, protect.Describes, protect.Checks,
		protect.SplitsColumn},
}

// Technique holds the parameters.
type Technique struct {
	L      int
	Column []string // the sensitive attribute; none for the one that has the role
}

// New returns the technique with its defaults.
func New() *Technique { return param.Default(&Technique{}) }

// mostL bounds l.
const mostL = 1000

// Params declares the parameters.
func (q *Technique) Params() param.Set {
	return param.Set{
		param.Int(&q.L, "l", 2, 2, mostL, "values", "different sensitive values in a group, at least").Guards(2, 10),
		param.Names(&q.Column, "column", "the sensitive column; by default the confidential one of categories, else "+
			"the class"),
	}
}

// Fit finds the sensitive column, and whether l-diverse groups of the records exist. It draws the key of the groups.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	j, err := q.sensitive(t)
	if err != nil {
		return nil, err
	}
	p := &Plan{Attrs: t.Attrs(), Column: j, L: q.L, Key: key(src.Fork("groups"))}
	counts := tally(t.Cat(j), len(t.Attr(j).Labels))
	if err := eligible(counts, p.L, t.Attr(j).Name); err != nil {
		return nil, err
	}
	for _, n := range counts {
		p.Records += n
	}
	p.Groups = p.Records / p.L
	p.Left = t.Rows() - p.Records
	return p, ctx.Err()
}

// key draws 32 bytes.
func key(src rng.Source) []byte {
	s := src.Stream()
	out := make([]byte, 0, 32)
	for id := range uint64(2) {
		b := s.At(id)
		out = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(out, b.A), b.B)
	}
	return out
}

// sensitive returns the position of the column to separate.
func (q *Technique) sensitive(t *table.Table) (int, error) {
	j := -1
	switch len(q.Column) {
	case 0:
		var named []string
		for k := range t.Width() {
			if a := t.Attr(k); a.Role&table.Confidential != 0 && a.Kind == table.Categorical {
				j, named = k, append(named, a.Name)
			}
		}
		if len(named) > 1 {
			return -1, fmt.Errorf("several categorical columns are confidential (%s); name the one to separate (parameter "+
				"\"column\")", strings.Join(named, ", "))
		}
		if j < 0 {
			j = t.WithRole(table.Class)
		}
		if j < 0 {
			return -1, errors.New("no categorical column is confidential, and there is no class; name the sensitive column " +
				"(parameter \"column\")")
		}
	case 1:
		if j = t.Find(q.Column[0]); j < 0 {
			return -1, fmt.Errorf("parameter \"column\": there is no column %q", q.Column[0])
		}
	default:
		return -1, fmt.Errorf("parameter \"column\": %d columns; expected one, as several cannot be l-diverse each",
			len(q.Column))
	}
	if a := t.Attr(j); a.Kind != table.Categorical {
		return -1, fmt.Errorf("the sensitive column %q is %s; expected categories: groups are of l different ones", a.Name,
			a.Kind)
	}
	return j, nil
}

// tally counts the codes below n; missing ones are not counted.
func tally(codes []int32, n int) []int {
	counts := make([]int, n)
	for _, c := range codes {
		if c >= 0 {
			counts[c]++
		}
	}
	return counts
}

// eligible refuses counts of sensitive values that have no l-diverse groups: one makes up more than 1/l of all (Xiao &
// Tao 2006, section 2).
func eligible(counts []int, l int, column string) error {
	all, most := 0, 0
	for _, n := range counts {
		all, most = all+n, max(most, n)
	}
	if most*l <= all {
		return nil
	}
	if all/most < 2 {
		return fmt.Errorf("column %q: more than half of the known values are the same one, so no groups are l-diverse; "+
			"choose another sensitive column", column)
	}
	return fmt.Errorf("column %q: groups of %d different values do not exist, as one value makes up more than 1/%d of "+
		"all; l can be at most %d", column, l, l, all/most)
}
