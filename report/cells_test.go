package report

import (
	"strings"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
)

// drawn is a chart as a page has it.
func drawn(c document.Chart) string { return string(c.Drawing.Draw(c.Key)) }

// said is what sentences say, apart by bars.
func said(all []message.Sentence) string { return strings.Join(stringsOf(all), "|") }

// cellTexts is what the cells of a row say: the value of a figure and its interval behind a semicolon.
func cellTexts(r document.Row) (out []string) {
	for _, c := range r.Cells {
		s := c.Says.String()
		if c.Figure != nil {
			value, interval := c.Figure.Text()
			if s = value; interval != "" {
				s += "; " + interval
			}
		}
		out = append(out, strings.TrimSpace(strings.Join(append([]string{s}, stringsOf(c.Below)...), " ")))
	}
	return out
}

// tablesOf are the tables in blocks, in the order in which they are read.
func tablesOf(blocks ...document.Block) (out []document.Table) {
	s := document.Section{Blocks: blocks}
	s.Each(func(b document.Block) {
		if t, ok := b.(document.Table); ok {
			out = append(out, t)
		}
	})
	return out
}

// textOf is blocks as a terminal has them.
func textOf(blocks ...document.Block) string {
	var b strings.Builder
	blocksText(&b, blocks, message.Sentence{})
	return b.String()
}

// nonEmpty are those of these that say something.
func nonEmpty(all ...string) []string { return stringsOf(texts(all...)) }
