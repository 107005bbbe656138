package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/accuracy"
	"github.com/dither-data/dither/measure/bias"
	"github.com/dither-data/dither/measure/reidentification"
	"github.com/dither-data/dither/measure/segments"
	"github.com/dither-data/dither/measure/treesimilarity"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// figure is one of the large numbers at the head of the report with a sentence on how to read it.
type figure struct {
	Name, Value, Text string
	Failed            bool
}

// detail finds the first detail of type T among the measures that were taken.
func detail[T any](o *study.Outcome) (*T, bool) {
	for k := range o.Measures {
		if d, ok := as[T](o.Measures[k].Value.Detail); ok {
			return d, true
		}
	}
	return nil, false
}

// as returns the detail as a T, given as such or by its address.
func as[T any](detail any) (*T, bool) {
	switch d := detail.(type) {
	case T:
		return &d, true
	case *T:
		return d, d != nil
	}
	return nil, false
}

// figures returns the headline figures that were measured, and a line for those that were tried and failed.
func figures(o *study.Outcome, public bool) []figure {
	var out []figure
	for _, h := range []struct {
		measure, name string
		read          func(*study.Outcome, bool) (figure, bool)
	}{
		{"segments", "Records inside their segment", certificate},
		{"reidentification", "People an intruder finds", found},
		{"accuracy", "Accuracy of a decision tree", accuracies},
		{"treesimilarity", "Records under surviving rules", survivors},
		{"bias", "Largest change of a correlation", moved},
	} {
		if f, ok := h.read(o, public); ok {
			f.Name = h.name
			out = append(out, f)
			continue
		}
		k := slices.IndexFunc(o.Measures, func(m study.Measured) bool {
			return m.Name == h.measure && m.Err != "" && (!public || m.Side != measure.Risk)
		})
		if k >= 0 {
			out = append(out, figure{Name: h.name, Value: "not measured", Text: failure(o.Measures[k].Err, public), Failed: true})
		}
	}
	return out
}

func failure(reason string, public bool) string {
	if public {
		return "This figure could not be taken."
	}
	return sentence(reason)
}

func certificate(o *study.Outcome, _ bool) (figure, bool) {
	d, ok := detail[segments.Detail](o)
	if !ok || d.Records == 0 {
		return figure{}, false
	}
	f := figure{Value: chart.Percent(float64(d.Stayed) / float64(d.Records))}
	if gone := d.Records - d.Stayed; gone == 0 {
		f.Text = fmt.Sprintf("All %s are still in the segment they came from, so every rule of the original covers the same people.", counted(d.Records, "record"))
	} else {
		f.Text = fmt.Sprintf("%s of %s left the segment they came from; 100 %% would mean that every rule of the original covers the same people.",
			chart.Count(float64(gone)), counted(d.Records, "record"))
	}
	switch {
	case d.OffGrid+d.Outside == 0:
		f.Text += " Every value is in its domain and on its grid."
	default:
		f.Text += fmt.Sprintf(" %s outside their domain and %s off their grid.", counted(d.Outside, "value"), chart.Count(float64(d.OffGrid)))
	}
	return f, true
}

// found tells of the intruder who finds most people; the public report does not: it would tell an intruder how far to trust a match.
func found(o *study.Outcome, public bool) (figure, bool) {
	share, best := -1.0, (*reidentification.Detail)(nil)
	for k := range o.Measures {
		if d, ok := as[reidentification.Detail](o.Measures[k].Value.Detail); ok && d.Found != nil && *d.Found > share {
			share, best = *d.Found, d
		}
	}
	if best == nil || public {
		return figure{}, false
	}
	return figure{Value: chart.Percent(share), Text: fmt.Sprintf(
		"%s takes the likeliest record for a person's and is right for so many. A blind guess finds 1 in %s.", whom(best.Intruder), chart.Count(float64(best.Released)))}, true
}

func accuracies(o *study.Outcome, _ bool) (figure, bool) {
	d, ok := detail[accuracy.Detail](o)
	if !ok {
		return figure{}, false
	}
	before, after, on := d.OriginalHoldout, d.ReleasedHoldout, "records that neither had seen"
	if math.IsNaN(before) || math.IsNaN(after) {
		before, after, on = d.OriginalOriginal, d.ReleasedOriginal, "the original records"
	}
	if math.IsNaN(before) || math.IsNaN(after) {
		return figure{}, false
	}
	return figure{Value: tenth(before) + " → " + tenth(after) + " %", Text: "Share of " + on +
		" classified correctly by a tree grown on the original, then by one grown on the release. The closer, the better."}, true
}

func survivors(o *study.Outcome, _ bool) (figure, bool) {
	d, ok := detail[treesimilarity.Detail](o)
	if !ok || math.IsNaN(d.Weights[0]+d.Weights[1]) {
		return figure{}, false
	}
	f := figure{Value: chart.Percent((d.Weights[0] + d.Weights[1]) / 100), Text: fmt.Sprintf(
		"%s of the records fall under rules that stand in the original tree (type A), %s under the same rules with other numeric limits (type B).",
		chart.Percent(d.Weights[0]/100), chart.Percent(d.Weights[1]/100))}
	if d.Class != "" {
		f.Text += " The trees are called " + strings.ToLower(d.Class) + "."
	}
	if o.Generalised {
		f.Text += " The original is taken as general as the release."
	}
	return f, true
}

func moved(o *study.Outcome, public bool) (figure, bool) {
	d, ok := detail[bias.Detail](o)
	if !ok || math.IsNaN(d.LargestCorrDiff) || len(d.Names) < 2 {
		return figure{}, false
	}
	f := figure{Value: chart.Number(d.LargestCorrDiff, 0.001), Text: "On a scale from 0, unchanged, to 2."}
	if d.LargestCorrDiff == 0 {
		f.Text = "No correlation of two numeric attributes changed."
		return f, true
	}
	if c, ok := matrices(d); ok && !public {
		if i, j, _, ok := c.Largest(); ok {
			f.Text = fmt.Sprintf("%s and %s: from %s to %s. 0 would be unchanged, 2 is the end of the scale.", c.Names[j], c.Names[i],
				chart.Number(c.Original[i][j], 0.01), chart.Number(c.Released[i][j], 0.01))
		}
	}
	if !math.IsNaN(d.MeanCorrDiff) {
		f.Text += " The mean change is " + chart.Number(d.MeanCorrDiff, 0.001) + "."
	}
	return f, true
}

// tenth writes a figure with one decimal.
func tenth(v float64) string { return fmt.Sprintf("%.1f", v) }
