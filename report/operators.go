package report

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/study"
)

// operatorsOf is the section on the noise model of a release that was made at random, beside those of others. It tells
// of the original how common items are, so the public report has none.
func operatorsOf(o *study.Outcome, _ Options) *document.Section {
	if len(o.Operators) == 0 {
		return nil
	}
	s := &document.Section{Key: "operators", Title: message.Say("operators.title")}
	for k := range o.Operators {
		t := &o.Operators[k]
		table := document.Table{Title: message.Say("operators.title"),
			Columns: columns("operators.columns", "operator", "of", "gamma n", "epsilon n", "condition n", "error n",
				"breach n")}
		for _, f := range t.Rows {
			table.Rows = append(table.Rows, operatorRow(&f))
		}
		blocks := []document.Block{prose("lead", message.Say("operators.lead").Count("records", t.Records).
			Share("support", t.Support)), table}
		for _, b := range t.Breaches {
			blocks = append(blocks, prose("note", message.Say("operators.breach").Count("itemsets", b.Itemsets).
				Count("items", b.Items).
				Text("worst", fmt.Sprintf("%.3g", b.Worst)).Text("mean", fmt.Sprintf("%.3g", b.Mean))))
		}
		s.Blocks = append(s.Blocks, part(message.Name(t.Title()), blocks...))
	}
	return s
}

// operatorRow is an operator; the figures of itemsets of 1, 2 and 3 items stand below each other.
func operatorRow(f *randomised.Figures) document.Row {
	r := row(message.Text(f.Name), message.Text(f.Of), figured(f.Gamma, "%.4g"), figured(f.Epsilon, "%.3g"))
	var by [3]document.Cell
	for k, s := range f.Items {
		for i, says := range []message.Sentence{figured(s.Condition, "%.3g"), figured(float64(100*s.Error), "%.2g %%"),
			figured(s.Breach, "%.2g")} {
			if k == 0 {
				by[i].Says = says
			} else {
				by[i].Lines = append(by[i].Lines, says)
			}
		}
	}
	r.Cells = append(r.Cells, by[:]...)
	return r
}

// figured writes a figure, a dash where there is none.
func figured(x float64, format string) message.Sentence {
	switch {
	case math.IsNaN(x):
		return message.Text("–")
	case math.IsInf(x, 1):
		return message.Say("operators.unbounded")
	}
	return message.Text(fmt.Sprintf(format, x))
}
