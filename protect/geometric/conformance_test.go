package geometric_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/geometric"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

func TestConformance(t *testing.T) { protecttest.Family(t, geometric.Methods, nil) }

func FuzzPlan(f *testing.F) { protecttest.FuzzFamily(f, geometric.Methods, nil) }

// As multiples of the yardstick, a rotation of six columns and 1,000,000 records is fitted and released in 1.3, of
// 30,000 in 0.05.
func BenchmarkFit(b *testing.B) {
	protecttest.BenchFamily(b, geometric.Methods, protecttest.BenchFit, 30_000, 1_000_000)
}

func BenchmarkApply(b *testing.B) {
	protecttest.BenchFamily(b, geometric.Methods, protecttest.BenchApply, 30_000, 1_000_000)
}

// fit fits the technique of an entry after its parameters are changed; change may be nil.
func fit(
	m protect.Method,
	tab *table.Table,
	src rng.Source,
	change func(q *geometric.Technique),
) (*geometric.Plan, error) {
	q := m.New().(*geometric.Technique)
	if change != nil {
		change(q)
	}
	p, err := q.Fit(context.Background(), tab, src)
	if err == nil {
		err = p.(*geometric.Plan).Check()
	}
	if err != nil {
		return nil, err
	}
	return p.(*geometric.Plan), nil
}

// plan fits the technique of an entry with its defaults.
func plan(t interface{ Fatal(...any) }, m protect.Method, tab *table.Table, seed byte) *geometric.Plan {
	p, err := fit(m, tab, protecttest.Seed(seed), nil)
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", m.Name, err))
	}
	return p
}

// What users can set, by technique.
func TestParameters(t *testing.T) {
	for name, want := range map[string]string{
		"tdp": "shiftLeast shiftMost except",
		"sdp": "scaleLeast scaleMost grid except",
		"rdp": "rho pairs grid except",
		"hdp": "shiftLeast shiftMost scaleLeast scaleMost rho grid except",
	} {
		protecttest.Declares(t, geometric.Methods, name, want)
	}
}
