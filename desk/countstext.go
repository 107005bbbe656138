package desk

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/dither-data/dither/budget"
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
	says := bounded{epsilon: c.Epsilon, delta: c.Delta, unit: c.Unit, charged: c.Charged}
	noise := message.Say("counts.noise").Text("noise", c.Noise).Text("error", fmt.Sprintf("%.4g", c.Error))
	named := ""
	if c.Threshold > 0 {
		named = message.Say("counts.named").Count("least", int(c.Threshold)).String()
	}
	_, err := io.WriteString(w, "\n"+says.lines(line{"noise", noise.String()}, line{"named", named}))
	return err
}

// line is what is said of something.
type line struct{ name, says string }

// bounded is what figures promise, and what they spent.
type bounded struct {
	epsilon, delta float64
	unit           budget.Unit
	charged        *Charged
}

// lines says it, one line for each, with others between that say something.
func (p *bounded) lines(others ...line) string {
	var b strings.Builder
	put := func(name, says string) { fmt.Fprintf(&b, "%-12s %s\n", name, says) }
	epsilon := fmt.Sprint(p.epsilon)
	says := message.Say("counts.pure").Text("epsilon", epsilon)
	if p.delta > 0 {
		says = message.Say("counts.approximate").Text("epsilon", epsilon).
			Text("delta", strconv.FormatFloat(p.delta, 'g', -1, 64))
	}
	put("privacy", says.String())
	put("neighbours", message.Say("counts.neighbours").Text("unit", fmt.Sprint(p.unit)).Text("epsilon", epsilon).String())
	for _, o := range others {
		if o.says != "" {
			put(o.name, o.says)
		}
	}
	if g := p.charged; g != nil {
		put("ledger", message.Say("counts.charged").Name("release", g.Release).Name("entry", fmt.Sprintf("%.16s", g.Entry)).
			Text("spent", fmt.Sprintf("%.4g", g.Spent)).Text("left", fmt.Sprintf("%.4g", g.Left)).String())
	}
	return b.String()
}
