package report

import (
	"math"

	"github.com/dither-data/dither/measure/bias"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// biasRow is one type of bias in the table of biases.
type biasRow struct{ Type, Text, Largest, Where, Mean string }

// biasRows lists the types of bias that were measured.
func biasRows(o *study.Outcome) []biasRow {
	d, ok := detail[bias.Detail](o)
	if !ok {
		return nil
	}
	share := chart.Percent
	absolute := func(v float64) string { return chart.Number(v, 0.001) }
	var out []biasRow
	for _, t := range []struct {
		letter, text string
		change       bias.Change
		write        func(float64) string
	}{
		{"A", "variance: by how much of itself the standard deviation of an attribute changed", d.A, share},
		{"B", "relations among confidential attributes: by how much a correlation changed", d.B, absolute},
		{"C", "relations between confidential and other attributes: by how much a correlation changed", d.C, absolute},
		{"D", "distribution: how far the distribution of an attribute lies from that of the original, from 0 to 1", d.D, absolute},
	} {
		if c := t.change; c.Of > 0 {
			out = append(out, biasRow{t.letter, t.text, t.write(c.Largest), c.Where, t.write(c.Mean)})
		}
	}
	if len(out) > 0 && !math.IsNaN(d.DM) {
		out = append(out, biasRow{Type: "DM", Text: "patterns: the share of the records under rules that the original tree lacks", Largest: share(d.DM)})
	}
	return out
}

// distanceOf writes how far an attribute's distribution lies from that of the original.
func distanceOf(d *bias.Detail, name string) []string {
	if d == nil {
		return nil
	}
	for _, a := range d.Distances {
		if a.Name == name && !math.IsNaN(a.Distance) {
			return []string{"Distance " + chart.Number(a.Distance, 0.001)}
		}
	}
	return nil
}
