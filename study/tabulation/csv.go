package tabulation

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
)

// LeftOut is the status of a cell that is not shown.
const LeftOut = "suppressed"

// CSV writes the cells in the long form: a line for each, the number of its table, a code for each column (empty where
// the table is not divided by it), the count, the totals and the status. Cells that are shown as 0 are not listed: a
// line would tell that somebody is in one.
func (m *Made) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	head := []string{own[0]}
	for _, d := range m.Set.Dims {
		head = append(head, d.Name)
	}
	head = slices.Concat(head, own[1:2], m.Sums, own[2:])
	if err := out.Write(head); err != nil {
		return err
	}
	for c := range m.Set.Cells {
		if m.Shown[c] == 0 {
			continue
		}
		cell, line := &m.Set.Cells[c], make([]string, len(head))
		line[0] = strconv.Itoa(cell.Table + 1)
		for k, j := range m.Set.Of[cell.Table] {
			line[1+j] = m.Set.Dims[j].Labels[cell.Codes[k]]
		}
		at := 1 + len(m.Set.Dims)
		if m.Shown[c] < 0 {
			line[len(line)-1] = LeftOut
		} else {
			line[at] = strconv.Itoa(m.Shown[c])
			for k := range m.Set.Sums {
				line[at+1+k] = m.Total(k, c)
			}
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// Total is a total as its column writes numbers.
func (m *Made) Total(sum, cell int) string {
	a := m.of.Attr(m.of.Find(m.Sums[sum]))
	return string(a.AppendValue(nil, a.Snap(m.Set.Sums[sum].Sum[cell])))
}
