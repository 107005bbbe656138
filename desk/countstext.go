package desk

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/report"
)

// Print writes the document, or the counts as a table with what is promised.
func (c *CountsDocument) Print(w io.Writer, asJSON bool) error {
	if asJSON {
		return WriteJSON(w, c)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, name := range c.By {
		fmt.Fprint(t, report.Printable(name), "\t")
	}
	fmt.Fprintln(t, "count\t95 % between")
	for _, cell := range c.Cells {
		for _, v := range cell.Values {
			fmt.Fprint(t, report.Printable(v), "\t")
		}
		fmt.Fprintf(t, "%d\t%d and %d\n", cell.Count, cell.Count-c.Within, cell.Count+c.Within)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n"+c.promised())
	return err
}

// promised says what the counts promise, in lines.
func (c *CountsDocument) promised() string {
	var b strings.Builder
	line := func(name string, says message.Sentence) { fmt.Fprintf(&b, "%-12s %s\n", name, says) }
	epsilon := fmt.Sprint(c.Epsilon)
	promise := message.Say("counts.pure").Text("epsilon", epsilon)
	if c.Delta > 0 {
		promise = message.Say("counts.approximate").Text("epsilon", epsilon).
			Text("delta", strconv.FormatFloat(c.Delta, 'g', -1, 64))
	}
	line("privacy", promise)
	line("neighbours", message.Say("counts.neighbours").Text("unit", fmt.Sprint(c.Unit)).Text("epsilon", epsilon))
	line("noise", message.Say("counts.noise").Text("noise", c.Noise).Text("error", fmt.Sprintf("%.4g", c.Error)))
	if c.Threshold > 0 {
		line("named", message.Say("counts.named").Count("least", int(c.Threshold)))
	}
	if g := c.Charged; g != nil {
		line("ledger", message.Say("counts.charged").Name("release", g.Release).Name("entry", fmt.Sprintf("%.16s", g.Entry)).
			Text("spent", fmt.Sprintf("%.4g", g.Spent)).Text("left", fmt.Sprintf("%.4g", g.Left)))
	}
	return b.String()
}
