package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/mining/association"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// intervals are those that numbers are cut into, most the items of a pattern.
const (
	intervals = 4
	most      = 4
	perDraw   = 5 // rules that are hidden together
)

// set is a data set with its thresholds, and what became of it.
type set struct {
	title               string
	support, confidence float64

	*table.Table
	coding   *basket.Coding
	rows     *itemset.Transactions
	patterns [][]int32 // frequent itemsets of at most so many items
	rules    []association.Rule
	optima   []optimum
	results  []result
}

func load(ctx context.Context) ([]set, error) {
	quest, err := generator(ctx, "quest", 100_000)
	if err != nil {
		return nil, err
	}
	out := []set{{title: "Quest, T10I4D100K", support: 0.005, confidence: 0.6, Table: quest}}
	for _, d := range []struct {
		title, file         string
		support, confidence float64
		drop                []string
	}{
		{"Retail", "retail/retail.dat", 0.005, 0.5, nil},
		{"Mushroom", "mushroom-transactions/mushroom.dat", 0.4, 0.8, nil},
		{"Adult as items", "adult/adult.csv", 0.1, 0.6, []string{"fnlwgt"}},
	} {
		t, err := rerun.Read(ctx, d.file, d.drop...)
		if err != nil {
			return nil, err
		}
		out = append(out, set{title: d.title, support: d.support, confidence: d.confidence, Table: t})
	}
	for k := range out {
		if err := out[k].mine(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", out[k].title, err)
		}
	}
	return out, nil
}

func generator(ctx context.Context, name string, rows int) (*table.Table, error) {
	g, err := catalog.Generator(name)
	if err != nil {
		return nil, err
	}
	return generate.Make(ctx, g.New(), rows, rng.New([32]byte{}))
}

// least is how many records have a pattern at least.
func (s *set) least() int { return itemset.Least(s.support, s.Rows()) }

// mine finds the patterns of the original and the rules among them with one item at the end, of two to three items:
// those that may be drawn.
func (s *set) mine(ctx context.Context) (err error) {
	if s.coding, err = basket.New(s.Table, basket.Options{Intervals: intervals}); err != nil {
		return err
	}
	if s.rows, err = s.coding.Code(s.Table); err != nil {
		return err
	}
	find := func(ctx context.Context, visit itemset.Visit) (itemset.Tally, error) {
		return itemset.LCM(ctx, s.rows, itemset.Query{Least: s.least(), Visit: visit})
	}
	_, err = find(ctx, func(items []int32, _ int) bool {
		if len(items) <= most {
			s.patterns = append(s.patterns, slices.Clone(items))
		}
		return true
	})
	if err != nil {
		return err
	}
	supports, err := association.Gather(ctx, find, s.Rows())
	if err != nil {
		return err
	}
	err = supports.Rules(ctx, association.Options{Confidence: s.confidence, MostThen: 1}, func(r *association.Rule) bool {
		if len(r.If) <= 2 {
			c := *r
			c.If, c.Then = slices.Clone(r.If), slices.Clone(r.Then)
			s.rules = append(s.rules, c)
		}
		return true
	})
	if err == nil && len(s.rules) < perDraw {
		return fmt.Errorf("there are %d rules only", len(s.rules))
	}
	return err
}

// draw returns random rules, and the list of them that techniques read.
func (s *set) draw(n int) (out []basket.Pattern, list string) {
	seed := sha256.Sum256(fmt.Appendf(nil, "%s %d", s.title, n))
	r := rand.New(rand.NewChaCha8(seed))
	var lines []string
	for _, k := range r.Perm(len(s.rules))[:perDraw] {
		p := basket.Pattern{If: s.rules[k].If, Then: s.rules[k].Then}
		out, lines = append(out, p), append(lines, s.coding.Text(p))
	}
	return out, strings.Join(lines, "\n")
}
