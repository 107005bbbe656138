package desk

import (
	"maps"
	"slices"
	"strconv"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/record"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/tabulate"
)

// mostShown is how many cells a page has; more are in the file alone.
const mostShown = 20_000

// grids are the tables as pages show them: the codes of the last column beside each other, those of the others below.
func (t *tabulating) grids() (out []report.Grid) {
	if t.Page == "" || len(t.made.Set.Cells) > mostShown {
		return nil
	}
	for table, dims := range t.made.Set.Of {
		cells := map[string]int{}
		for c := range t.made.Set.Cells {
			if t.made.Set.Cells[c].Table == table {
				cells[codeKey(t.made.Set.Cells[c].Codes)] = c
			}
		}
		for quantity := range 1 + len(t.made.Sums) {
			g := report.Grid{}
			if quantity > 0 {
				g.Sum = t.made.Sums[quantity-1]
			}
			last := &t.made.Set.Dims[dims[len(dims)-1]]
			for _, j := range dims {
				g.By = append(g.By, t.made.Set.Dims[j].Name)
			}
			across := last.Order()
			for _, code := range across {
				g.Across = append(g.Across, last.Labels[code])
			}
			for _, codes := range combined(t.made.Set, dims[:len(dims)-1]) {
				row := report.GridRow{}
				for k, code := range codes {
					d := &t.made.Set.Dims[dims[k]]
					row.Codes, row.Depth = append(row.Codes, d.Labels[code]), append(row.Depth, d.Depth(code))
				}
				some := false
				for _, code := range across {
					c, there := cells[codeKey(append(slices.Clone(codes), code))]
					some = some || there
					row.Values = append(row.Values, t.text(c, there, quantity))
				}
				if some {
					g.Rows = append(g.Rows, row)
				}
			}
			out = append(out, g)
		}
	}
	return out
}

// text is what a page shows of a cell.
func (t *tabulating) text(cell int, there bool, quantity int) string {
	switch {
	case !there:
		return "0"
	case t.made.Shown[cell] < 0:
		return "×"
	case quantity == 0:
		return message.Count(t.made.Shown[cell]).String()
	}
	return t.made.Total(quantity-1, cell)
}

// combined are all combinations of codes of dimensions, in the order of readers; one empty one of none.
func combined(s *tabulate.Set, dims []int) [][]int32 {
	out := [][]int32{nil}
	for _, j := range dims {
		var more [][]int32
		for _, codes := range out {
			for _, code := range s.Dims[j].Order() {
				more = append(more, append(slices.Clone(codes), code))
			}
		}
		out = more
	}
	return out
}

func codeKey(codes []int32) string {
	var b []byte
	for _, c := range codes {
		b = append(strconv.AppendInt(b, int64(c), 10), ',')
	}
	return string(b)
}

// record adds the record of the run.
func (t *tabulating) record(f *files, r *recorder) error {
	if r == nil {
		return nil
	}
	paths := map[string]string{"policy": t.Policy}
	trees := t.l.Policy.Hierarchies()
	for k, column := range slices.Sorted(maps.Keys(trees)) { // names of columns are not public
		paths["hierarchy "+strconv.Itoa(k+1)] = trees[column]
	}
	if err := r.read(t.l.File.SHA256, t.beside, paths); err != nil {
		return err
	}
	r.step(record.Step{Kind: "protect",
		In: map[string]string{"parameters": r.keyed("parameters", record.SumOf(record.Schema,
			[]any{t.made.Plan, t.made.Unit}))},
		Facts:  map[string]string{"technique": t.out.Method},
		Counts: map[string]int{"records": t.out.Records, "tables": len(t.made.By)}})
	r.gate(t.out.Verdict, t.limits)
	out := map[string]string{}
	for what, path := range map[string]string{"tables": t.Output, "page": t.Page} {
		if s := f.sums[path]; path != "" && s != "" {
			out[what] = record.Plain(s)
		}
	}
	r.step(record.Step{Kind: "write", Out: out})
	return r.add(f, t.Record)
}
