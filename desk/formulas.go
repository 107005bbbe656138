package desk

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/text/formulas"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/table"
)

// spreadsheet reports whether people open files of the name in a spreadsheet, which runs what is in them.
func spreadsheet(path string) bool {
	return slices.Contains([]string{".csv", ".tsv", ".tab", ".txt"}, strings.ToLower(filepath.Ext(format.Unpacked(path))))
}

// guardFormulas returns the table as it is written, and tells of categories that go out as a spreadsheet would run
// them.
func (d *Desk) guardFormulas(path string, pol *policy.Policy, t *table.Table) (*table.Table, error) {
	if pol.GuardFormulas {
		return formulas.Guard(t)
	}
	if !spreadsheet(path) {
		return t, nil
	}
	if columns := formulas.Headings(t); len(columns) > 0 {
		d.remark(Note{message.Say("told.headings").Listed("columns", columns), "guardformulas"})
	}
	if columns, n := formulas.Find(t); n > 0 {
		d.remark(Note{message.Say("told.formulas").Count("n", n).Listed("columns", columns), "guardformulas"})
	}
	return t, nil
}

// guard has codes written so that no spreadsheet runs them, where the policy asks for it, and tells of those that one
// would.
func (t *tabulating) guard(d *Desk) error {
	var columns []int
	for k := range t.made.Set.Dims {
		dim := &t.made.Set.Dims[k]
		columns = append(columns, t.l.Table.Find(dim.Name))
		codes := make([]int32, len(dim.Labels))
		for c := range codes {
			codes[c] = int32(c)
		}
		labels, err := table.New(table.CatColumn(dim.Name, dim.Labels, codes))
		if err == nil && t.l.Policy.GuardFormulas {
			labels, err = formulas.Guard(labels)
		}
		if err != nil {
			return err
		}
		dim.Labels = labels.Attr(0).Labels
	}
	if t.l.Policy.GuardFormulas {
		return nil
	}
	_, err := d.guardFormulas(t.Output, t.l.Policy, t.l.Table.Select(columns...))
	return err
}
