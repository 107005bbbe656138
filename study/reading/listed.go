package reading

import (
	"fmt"
	"strings"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/table"
)

// Listed refuses a hierarchy that does not list every value of column j, and says where those first stand that it
// lacks. What the list is called begins the error. Of a value nothing is shown but a listed one that differs from it in
// blanks or letter case, and not even that where the column is confidential. Cost: O(n).
func Listed(h *hierarchy.Hierarchy, t *table.Table, j int, list string, info *dialect.Info) error {
	c := t.Column(j)
	g := h.Gap(&c)
	if g.Values == 0 {
		return nil
	}
	places := make([]string, len(g.First))
	for k, p := range g.First {
		places[k] = place(info, int(t.ID(p.Row))) + p.But(&c.Attribute)
	}
	where := "it first stands in "
	switch {
	case g.Values > len(places):
		where = fmt.Sprintf("the first %d stand in ", len(places))
	case g.Values > 1:
		where = "they first stand in "
	}
	if last := len(places) - 1; last > 0 {
		places = append(places[:last-1], places[last-1]+" and "+places[last])
	}
	return fmt.Errorf("%s does not list %s of column %q, in %s: %s; dither hierarchy writes a file that lists all of them",
		list, numfmt.Counted(g.Values, "value"), c.Name, numfmt.Counted(g.Records, "record"),
		where+strings.Join(places, ", "))
}

// place names the line of a record, or the row, where records are not lines.
func place(info *dialect.Info, row int) string {
	if info.FirstLine > 0 && len(info.Items) == 0 {
		return fmt.Sprintf("line %d", info.FirstLine+row)
	}
	return fmt.Sprintf("row %d", row+1)
}
