// Command versatility fills the columns of Islam 2007, Table 3.1, by measurement, for all techniques: which keeps what
// on public tables, held against two halves of the records, and how many people are found:
//
//	go run -C tools ./experiments/versatility
//	go run -C tools ./experiments/versatility -repeats 1
//	go run -C tools ./experiments/versatility -write ../docs
//
// The data sets are looked for in the folder that DITHER_DATA names and, failing that, in ../shared/data. Seeds are
// fixed, so every run prints the same figures.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"

	_ "github.com/dither-data/dither/catalog/all"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/found"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

var program = rerun.Program{Name: "versatility", Times: "repeats", Default: 2,
	Help: "releases of each data set by each technique", Print: rerunning}

func main() { program.Main() }

// row is what is found of a technique, by data set.
type row struct {
	protect.Method
	cells []cell
}

// cell is what is found of a technique on one data set.
type cell struct {
	why     string         // there is no release
	losses  [kinds]float64 // means over the releases
	found   float64        // share of the people, of the first release; NaN where nobody can be looked for
	changes map[string]bool
}

func rerunning(ctx context.Context, p *rerun.Page, repeats int) error {
	sets, err := load(ctx)
	if err != nil {
		return err
	}
	methods := catalog.Methods()
	rows := make([]row, len(methods))
	errs := make([]error, len(methods))
	parallel.Do(len(methods), func(k int) { rows[k], errs[k] = technique(ctx, sets, methods[k], repeats) })
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return page(p, sets, rows, repeats)
}

// technique releases every data set by a technique, where it takes it.
func technique(ctx context.Context, sets []*set, m protect.Method, repeats int) (row, error) {
	out := row{Method: m}
	for _, s := range sets {
		c, err := s.try(ctx, m, repeats)
		if err != nil {
			return out, fmt.Errorf("%s by %s: %w", s.title, m.Name, err)
		}
		out.cells = append(out.cells, c)
	}
	return out, nil
}

// try measures the releases of one data set.
func (s *set) try(ctx context.Context, m protect.Method, repeats int) (c cell, err error) {
	given := s.given(m)
	c = cell{found: math.NaN(), changes: map[string]bool{}}
	for n := range repeats {
		p, err := study.Protect(ctx, study.Request{KeepOrder: true, Table: s.Table, Method: m, Set: given,
			Seed: rng.SeedOf(sha256.Sum256(fmt.Appendf(nil, "versatility %s %s %d", s.title, m.Name, n)))})
		if err != nil {
			c.why = err.Error()
			return c, ctx.Err()
		}
		r, err := p.Release(hierarchy.Set{})
		if err != nil {
			return c, err
		}
		as := s.Table
		if r.Exact != nil {
			as = r.Original
		}
		loss, err := s.losses(ctx, pair{s.Table, r.Released, s.Table, as, as})
		if err != nil {
			return c, err
		}
		for k, v := range loss {
			c.losses[k] += v / float64(repeats)
		}
		if n == 0 {
			if c.found, err = s.attack(ctx, r); err != nil {
				return c, err
			}
			for _, name := range p.Plan.Changes() {
				if j := s.Find(name); j >= 0 {
					c.changes[s.kind(j)] = true
				}
			}
		}
	}
	return c, nil
}

// given are the parameters that a technique cannot do without: what it hides, and, for differential privacy, that
// domains are bought.
func (s *set) given(m protect.Method) map[string]string {
	out := map[string]string{}
	declared := m.New().Params()
	if declared.Has("domains") {
		out["domains"] = "bought"
	}
	if m.Purpose != protect.Hides {
		return out
	}
	rules := s.sensitive
	if m.Name == "natwichai" {
		rules, out["reach"] = s.ofClass, "overlap" // one test is rarely all that a leaf asks
	}
	for name, v := range map[string]string{"sensitive": rules, "support": fmt.Sprint(max(s.support, hiding)),
		"confidence": fmt.Sprint(confidence)} {
		if declared.Has(name) {
			out[name] = v
		}
	}
	return out
}

// kind says what a column holds.
func (s *set) kind(j int) string {
	switch a := s.Attr(j); {
	case a.Role&table.Class != 0:
		return "class"
	case a.Kind == table.Numeric:
		return "numbers"
	case a.Kind == table.SetValued:
		return "items"
	}
	return "categories"
}

// attack returns the share of the people that an intruder finds who knows the quasi-identifiers, NaN where there are
// none.
func (s *set) attack(ctx context.Context, r *measure.Release) (float64, error) {
	if s.items {
		return math.NaN(), nil
	}
	if r.Matched != nil {
		r = r.OfThose()
	}
	who := intruder.Defaults(r.Original.Attrs())[0]
	v, err := found.Measure.New().Measure(ctx, r.Against(&who), rng.New([32]byte{5}))
	if err != nil {
		return math.NaN(), ctx.Err()
	}
	return v.Score, nil
}
