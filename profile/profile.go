// Package profile looks at a table before anything is done to it: what each column holds, which role it seems to play,
// and how exposed its records are.
//
// Of describes the columns, suggests roles and finds whose the records may be (package unit); Roles puts roles on a
// table, those given first; CheckClass says whether a tree can learn the class; Exposure partitions the records by
// their quasi-identifiers and counts who stands alone.
//
// A suggestion is a guess from the column's name and the repetition of its values, with the reason in words. It is for
// the custodian to confirm, and a Remark says what to beware of. A column that no rule recognises gets the role
// "other", which is not a promise that it is harmless.
//
// A profile holds original ranges and quartiles, so it is as confidential as the table. Missing values enter no
// statistic; they are counted. In Exposure a missing value is a category of its own (see there).
//
// Cost: O(n) per column of n records, plus O(labels) for a categorical one; columns are worked on in parallel, with 16
// bytes of scratch memory per record and worker. Units cost what unit.Find does.
//
// References: Sweeney 2002 (k-anonymity, quasi-identifiers); Islam 2007, chapter 2 (what removing names leaves open).
package profile

import (
	"context"
	"encoding/json"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/unit"
)

// Profile describes a table.
type Profile struct {
	Rows    int         `json:"rows"`
	Columns []Column    `json:"columns"`
	Units   *unit.Units `json:"units"` // whose the records may be, by values; null where nobody looked
}

// Column describes one column. Shares are in [0, 1].
type Column struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // numeric, categorical, ordered
	// Domain is the interval of legal values; nil for a categorical column, and where a bound is not finite.
	Domain   *table.Interval `json:"domain"`
	Declared bool            `json:"declared"` // the domain was given, not observed
	Step     float64         `json:"step"`     // grid of a numeric column; 0 is continuous
	Dates    string          `json:"dates"`    // the notation of dates, which are numbers
	Unit     string          `json:"unit"`     // of dates: days, minutes or seconds since 1970-01-01
	Missing  int             `json:"missing"`  // records without a value
	Distinct int             `json:"distinct"` // different values in use
	Alone    int             `json:"alone"`    // records whose value no other record has
	// Uniqueness is the share of all records whose value no other record has.
	Uniqueness float64 `json:"uniqueness"`
	// Top is the share of all records that hold the most frequent value.
	Top float64 `json:"top"`
	// Length is the mean number of bytes of the labels in use; 0 for a numeric column.
	Length float64 `json:"length"`
	// Codes are the numbers that may stand for a missing value.
	Codes []Code `json:"codes"`
	// Variants is how many values MergeVariants would change.
	Variants int `json:"variants"`
	// Order says how the column follows the row number; empty where it does not.
	Order   Order      `json:"order"`
	Summary *Summary   `json:"summary"` // nil for a categorical column and for one without values
	Suggest Suggestion `json:"suggestion"`

	consecutive bool // whole numbers that leave no gap and never repeat
	months      bool // texts that are months, quarters or days
	dated       bool // dates; texts that are dates; whole numbers that read as dates, yyyymmdd
	said        bool // the file calls them dates
	digits      bool // most texts hold a digit and nothing of a measurement
	marked      bool // most texts hold a digit, a capital or a blank and nothing of a measurement
	texts       texts
	few         bool // two to five different whole numbers
	like        likeness
}

// Valid returns the number of records of the column that have a value.
func (c *Column) valid(rows int) int { return rows - c.Missing }

// Summary holds the moments and quantiles of a numeric column. Quartiles interpolate between order statistics at
// position (n-1)p, counted from 0; SD divides by n-1 and is 0 for a single value.
type Summary struct {
	Mean   Number `json:"mean"`
	SD     Number `json:"sd"`
	Min    Number `json:"min"`
	Q1     Number `json:"q1"`
	Median Number `json:"median"`
	Q3     Number `json:"q3"`
	Max    Number `json:"max"`
}

// Number is a float64 that JSON shows as null when it is NaN or infinite.
type Number float64

// MarshalJSON writes the number, or null.
func (n Number) MarshalJSON() ([]byte, error) {
	if f := float64(n); !math.IsNaN(f) && !math.IsInf(f, 0) {
		return json.Marshal(f)
	}
	return []byte("null"), nil
}

// Of profiles the table and suggests a role for every column. A class is suggested only where a column's name says that
// it is one. The result does not depend on the number of cores. The only error is that of the context.
func Of(ctx context.Context, t *table.Table) (*Profile, error) { return profiled(ctx, t, false) }

// Brief is Of for who wants the roles alone: it does not count how sets of items differ, which takes most of the time
// and memory in a table of transactions, and on which no role depends.
func Brief(ctx context.Context, t *table.Table) (*Profile, error) { return profiled(ctx, t, true) }

func profiled(ctx context.Context, t *table.Table, brief bool) (*Profile, error) {
	p := &Profile{Rows: t.Rows(), Columns: make([]Column, t.Width())}
	err := each(ctx, t.Width(), func() (func(j int), func()) {
		s := scratch{space: t.Space()}
		return func(j int) { p.Columns[j] = describe(t.Column(j), &s, brief) }, s.free
	})
	if err != nil {
		return nil, err
	}
	onlySex(p.Columns)
	class := likelyClass(p)
	for j := range p.Columns {
		p.Columns[j].Suggest = suggest(&p.Columns[j], p.Rows, j == class)
	}
	if p.Units, err = unit.FindAmong(ctx, t, p.mayKey); err != nil {
		return nil, err
	}
	p.withoutCodes()
	p.prefer()
	return p, nil
}

// each calls work(0) to work(n-1) on all cores. Every worker gets its own work function from start, which may own
// scratch memory, and what it calls at last.
func each(ctx context.Context, n int, start func() (work func(k int), end func())) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			work, end := start()
			defer end()
			for ctx.Err() == nil {
				k := int(next.Add(1)) - 1
				if k >= n {
					return
				}
				work(k)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
