package desk

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

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
	delta := ""
	if c.Delta > 0 {
		delta = " and delta " + strconv.FormatFloat(c.Delta, 'g', -1, 64)
	}
	fmt.Fprintf(&b, "differential privacy with epsilon %v%s: two tables that differ by one %v more or less\n"+
		"(add or remove) give the same counts with odds of e^%v at most\n", c.Epsilon, delta, c.Unit, c.Epsilon)
	fmt.Fprintf(&b, "noise        %s, standard error %.4g; each interval holds the true count for 95 %% of draws\n",
		c.Noise, c.Error)
	if c.Threshold > 0 {
		fmt.Fprintf(&b, "named        combinations with a noisy count of %d or more\n", c.Threshold)
	}
	if g := c.Charged; g != nil {
		fmt.Fprintf(&b, "ledger       release %s, entry %.16s; epsilon %.4g is spent in all, %.4g is left\n", g.Release,
			g.Entry, g.Spent, g.Left)
	}
	return b.String()
}
