package hierarchy

import (
	"encoding/csv"
	"fmt"
	"io"
)

// Write writes the hierarchy as ARX writes it and Parse reads it: a line per value, separated by semicolons. One that
// cuts numbers into intervals lists no values and cannot be written so; that is an error, and so is an inconsistent
// one.
func (h *Hierarchy) Write(w io.Writer) error {
	if err := h.Check(); err != nil {
		return err
	}
	if h.Numeric() {
		return fmt.Errorf("the hierarchy of %q cuts numbers into intervals; expected one that lists values", h.Attribute)
	}
	out := csv.NewWriter(w)
	out.Comma = ';'
	line := make([]string, len(h.Names))
	for g := range h.Names[0] {
		k := int32(g)
		for l, names := range h.Names {
			if line[l] = names[k]; l < h.Height() {
				k = h.Up[l][k]
			}
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
