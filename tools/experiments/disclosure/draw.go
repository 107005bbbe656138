package main

import (
	"context"
	"fmt"
	"html"
	"html/template"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/uncertainty"
	"github.com/dither-data/dither/report/chart"
)

// draw writes the figures of section 8.1 for one release into a folder.
func draw(ctx context.Context, folder string, r *measure.Release, row int, p pair) error {
	h, _, err := full(ctx, r)
	if err != nil {
		return err
	}
	m := uncertainty.Reidentification.New().(*uncertainty.ReidentificationMeter)
	m.MinLeaf = 2
	who, err := m.Suspected(ctx, r, row)
	if err != nil {
		return err
	}
	threshold := uncertainty.Reidentification.New().(*uncertainty.ReidentificationMeter).Threshold
	slices.Sort(h)
	slices.Sort(who)
	slices.Reverse(who)
	doubt := curve("Entropy of the release against each original record, sorted", h)
	doubt.Marks = []chart.Mark{{Y: threshold, Label: fmt.Sprintf("threshold %g bits", threshold), Under: true}}
	known := chart.Curve{Title: "Doubt about the chosen record by the number of attributes known", Unit: " bits", Step: 1}
	for _, p := range p.leaf.Chosen {
		known.X = append(known.X, float64(p.Known))
		known.Original, known.Released = append(known.Original, p.Original.Record), append(known.Released, p.Released.Record)
	}
	likely := curve("Probability that each released record is the chosen one, sorted", who)
	likely.Unit = ""
	for name, c := range map[string]chart.Curve{"figure81": likely, "figure82": doubt, "table81": known} {
		if err := os.WriteFile(filepath.Join(folder, name+".svg"), []byte(standalone(c.Draw(name))), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// curve is values by their place, from 1.
func curve(title string, values []float64) chart.Curve {
	c := chart.Curve{Title: title, Released: values, Unit: " bits", Step: 1}
	for k := range values {
		c.X = append(c.X, float64(k+1))
	}
	return c
}

// standalone makes a document of a fragment.
func standalone(svg template.HTML) string {
	s := strings.Replace(string(svg), "<svg ", `<svg xmlns="http://www.w3.org/2000/svg" `, 1)
	head, body, _ := strings.Cut(s, "</desc>")
	return head + "</desc><style>" + html.EscapeString(chart.CSS) + "</style>" + body + "\n"
}
