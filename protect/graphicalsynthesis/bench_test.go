package graphicalsynthesis

import (
	"testing"

	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/protecttest"
)

// ofAll runs a benchmark of every technique, with observed domains.
func ofAll(b *testing.B, run func(b *testing.B, m protect.Method, records int), records int) {
	for _, m := range Methods {
		fresh := m.New
		m.New = func() protect.Technique {
			q := fresh()
			if own, ok := q.(*private); ok {
				own.Domains = Observed
			}
			return q
		}
		b.Run(m.Name, func(b *testing.B) { run(b, m, records) })
	}
}

func BenchmarkFit30k(b *testing.B)   { ofAll(b, protecttest.BenchFit, 30_162) }
func BenchmarkApply30k(b *testing.B) { ofAll(b, protecttest.BenchApply, 30_162) }
func BenchmarkFit1M(b *testing.B)    { ofAll(b, protecttest.BenchFit, 1_000_000) }
func BenchmarkApply1M(b *testing.B)  { ofAll(b, protecttest.BenchApply, 1_000_000) }
