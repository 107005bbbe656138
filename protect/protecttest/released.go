package protecttest

import (
	"context"
	"testing"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/noisemodel"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/table"
)

// Released returns the paired release of a table by a technique, with the plan, its steps and its segments, as measures
// are handed it.
func Released(t testing.TB, tab *table.Table, q protect.Technique) *measure.Release {
	t.Helper()
	p, err := q.Fit(context.Background(), tab, Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	out, err := executor.Run(context.Background(), p, tab, Seed(2), protect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := &measure.Release{
		Original: tab,
		Released: out,
		Paired:   true,
		Making:   measure.Making{Mechanisms: []noisemodel.Mechanism{p}},
	}
	if c, ok := p.(protect.Composite); ok {
		for _, s := range c.Steps() {
			r.Mechanisms = append(r.Mechanisms, s)
		}
	}
	if s, ok := p.(protect.Segmented); ok {
		r.Segments = s.Segmentation()
	}
	return r
}
