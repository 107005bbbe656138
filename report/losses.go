package report

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/sse"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// lossesOf writes what grouping and generalising cost a column.
func lossesOf(o *study.Outcome, name string) []string {
	var out []string
	if d, ok := detail[sse.Detail](o); ok {
		k := slices.IndexFunc(d.Attributes, func(a sse.Attribute) bool { return a.Name == name })
		if k >= 0 && d.Attributes[k].Cells > 0 {
			out = append(out, "SSE/SST "+chart.Number(d.Attributes[k].Error/float64(d.Attributes[k].Cells), 0.001))
		}
	}
	for _, l := range []struct{ measure, format string }{{"ncp", "Covers %s of the domain"}, {"precision", "Precision %s"}} {
		m := study.Find(o.Measures, l.measure)
		if m == nil {
			continue
		}
		if k := slices.IndexFunc(m.Value.Parts, func(p measure.Part) bool { return p.Name == name }); k >= 0 {
			out = append(out, fmt.Sprintf(l.format, chart.Percent(m.Value.Parts[k].Score)))
		}
	}
	return out
}
