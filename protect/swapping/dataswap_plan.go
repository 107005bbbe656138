package swapping

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/wrap"
)

// Trial is what one swap did to the table of the fit.
type Trial struct {
	Records int     `json:"records,omitempty"` // it was made with; 0: all
	Values  int     `json:"values"`            // known values of the columns
	Moved   []int   `json:"moved"`             // by position in Columns: values that were exchanged
	Cells   int     `json:"cells"`             // t-order counts that are not 0
	Changed int     `json:"changed"`           // of them changed
	Largest int     `json:"largest"`           // change of one, in records
	Share   float64 `json:"share"`             // of the records in these cells that changed place, over all counts
}

// DataPlan is the fitted technique. Besides the limits of classes it holds no values of records.
type DataPlan struct {
	protect.OneGroup
	protect.Exactly
	Attrs   []table.Attribute `json:"schema"`
	Columns []int             `json:"columns"` // to swap: positions in the schema, ascending
	Counted []int             `json:"counted"` // in counts: positions, ascending; all of Columns among them
	// by position in Counted: limits between classes of numbers, ascending
	Cuts      [][]float64 `json:"cuts"`
	Exact     []int       `json:"exact,omitempty"` // numbers counted by their values: positions, ascending
	T         int         `json:"t"`
	Tolerance float64     `json:"tolerance"`
	Rate      float64     `json:"rate"`
	Tries     int         `json:"tries"`
	Trial     Trial       `json:"trial"`
}

// Schema returns the attributes of the table the plan was fitted on.
func (p *DataPlan) Schema() []table.Attribute { return p.Attrs }

// Changes returns the names of the columns.
func (p *DataPlan) Changes() []string { return protect.Names(p.Attrs, p.Columns) }

// Empirical returns the numbers that change places.
func (p *DataPlan) Empirical() []string { return p.Drawn(p.Attrs, p.Columns) }

// Describe says what the plan does.
func (p *DataPlan) Describe() message.Sentence {
	return message.Say("does.dataswap").Count("t", p.T).Number("share", float64(100*p.Tolerance), 0)
}

// Notes says what a trial did, and which numbers are counted by classes.
func (p *DataPlan) Notes() []message.Sentence {
	moved := 0
	for _, n := range p.Trial.Moved {
		moved += n
	}
	trial := message.Say("plan.dataswap.moved").Count("moved", moved).Count("values", p.Trial.Values).
		Count("changed", p.Trial.Changed).Count("cells", p.Trial.Cells).Count("order", p.T).
		Count("largest", p.Trial.Largest).Digits("share", float64(100*p.Trial.Share), 3)
	out := []message.Sentence{message.Say("plan.dataswap.trial").Part("moved", trial)}
	if p.Trial.Records > 0 {
		out[0] = message.Say("plan.dataswap.some").Count("n", p.Trial.Records).Part("moved", trial)
	}
	for k, n := range p.Trial.Moved {
		if n == 0 {
			out = append(out, message.Say("plan.dataswap.none").Name("column", p.Attrs[p.Columns[k]].Name))
		}
	}
	binned := slices.DeleteFunc(slices.Clone(p.Counted), func(j int) bool {
		return p.Attrs[j].Kind != table.Numeric || slices.Contains(p.Exact, j)
	})
	if len(binned) > 0 {
		out = append(out, message.Say("plan.dataswap.classes").Listed("columns", protect.Names(p.Attrs, binned)))
	}
	return out
}

// Check refuses a decoded plan whose columns do not belong together, or with numbers out of range.
func (p *DataPlan) Check() error {
	for _, list := range [][]int{p.Columns, p.Counted, p.Exact} {
		for k, j := range list {
			if j < 0 || j >= len(p.Attrs) || k > 0 && j <= list[k-1] {
				return errors.New("the columns are not ascending positions in the schema")
			}
		}
	}
	for _, j := range p.Columns {
		if !slices.Contains(p.Counted, j) {
			return fmt.Errorf("column %q is swapped but not counted", p.Attrs[j].Name)
		}
		if err := protect.CheckColumns(p.Attrs, []int{j}, p.Attrs[j].Kind); err != nil {
			return err
		}
	}
	if len(p.Cuts) != len(p.Counted) || len(p.Trial.Moved) != len(p.Columns) {
		return errors.New("there are not as many limits or counts as columns")
	}
	for _, c := range p.Cuts {
		if len(c) >= perBin*mostBins || !slices.IsSorted(c) || len(c) > 0 && c[0] != c[0] {
			return errors.New("the limits of classes are not ascending, or too many")
		}
	}
	return p.checkNumbers()
}

func (p *DataPlan) checkNumbers() error {
	switch {
	case p.T < 1 || p.T > mostT:
		return fmt.Errorf("t is %d; expected 1 to %d", p.T, mostT)
	case !(p.Tolerance >= 0 && p.Tolerance <= 1) || !(p.Rate >= 0 && p.Rate <= 1):
		return fmt.Errorf("the tolerance is %v and the rate %v; expected 0 to 1", p.Tolerance, p.Rate)
	case p.Tries < 1 || p.Tries > mostTries:
		return fmt.Errorf("tries are %d; expected 1 to %d", p.Tries, mostTries)
	}
	return nil
}

// Apply swaps.
func (p *DataPlan) Apply(chunk *table.Table, src rng.Source) (*table.Table, error) {
	if err := protect.Conforms(chunk, p.Attrs); err != nil {
		return nil, err
	}
	return protect.InOrder(chunk, func(t *table.Table) (*table.Table, error) {
		s, err := p.swap(context.Background(), t, src)
		if err != nil {
			return nil, err
		}
		cols := t.Columns()
		for k, j := range p.Columns {
			cols[j] = wrap.Moved(cols[j], s.from[k])
		}
		return t.WithColumns(cols)
	})
}

// classes returns a column by its classes: of numbers and of categories from 1 up, 0 where missing; top is the highest.
func classes(t *table.Table, j int, cuts []float64) (of []int32, top int) {
	of = make([]int32, t.Rows())
	switch t.Attr(j).Kind {
	case table.Numeric:
	case table.Categorical:
		for i, c := range t.Cat(j) {
			of[i] = c + 1
		}
		return of, len(t.Attr(j).Labels)
	case table.SetValued: // is not among the columns
		return of, 0
	}
	for i, v := range t.Num(j) {
		if !math.IsNaN(v) {
			at, found := slices.BinarySearch(cuts, v)
			if found {
				at++
			}
			of[i] = int32(at + 1)
		}
	}
	return of, len(cuts) + 1
}
