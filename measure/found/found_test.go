package found

import (
	"testing"

	"github.com/dither-data/dither/law"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
)

// protected returns a release of a table by a technique.
func protected(t testing.TB, tab *table.Table, m protect.Method) *measure.Release {
	t.Helper()
	p, err := m.New().Fit(t.Context(), tab, protecttest.Seed(1))
	if err != nil {
		t.Fatal(err)
	}
	out, err := protect.Execute(t.Context(), p, tab, protecttest.Seed(2), protect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := &measure.Release{Original: tab, Released: out, Paired: true, Mechanisms: []law.Mechanism{p}}
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
