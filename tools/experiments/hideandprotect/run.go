package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/mining/association"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

const (
	listed    = 10 // rules that are hidden together
	intervals = 4  // that numbers are cut into
	most      = 4  // items of a rule that is looked for in a release
)

// set is a table with its thresholds, and what became of it.
type set struct {
	title, file, class  string
	support, confidence float64

	*table.Table
	coding  *basket.Coding
	rules   []association.Rule
	results []result
}

// result is the figures of a way, one for each draw.
type result struct {
	verdicts                               []string
	failure, misses, artifacts, found, all []float64
}

// run makes all releases of several draws.
func (s *set) run(ctx context.Context, dir string, draws int) error {
	if err := s.mine(ctx); err != nil {
		return err
	}
	path := filepath.Join(dir, s.file+".csv")
	if _, err := format.Write(ctx, path, s.Table, format.Options{}); err != nil {
		return err
	}
	s.results = make([]result, len(ways))
	for n := range draws {
		list := s.draw(n)
		for k, w := range ways {
			if err := s.release(ctx, path, w, n, list, &s.results[k]); err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
		}
	}
	return nil
}

// mine finds the rules that may be drawn: of at most three items, with one at the end.
func (s *set) mine(ctx context.Context) (err error) {
	if s.coding, err = basket.New(s.Table, basket.Options{Intervals: intervals}); err != nil {
		return err
	}
	rows, err := s.coding.Code(s.Table)
	if err != nil {
		return err
	}
	find := func(ctx context.Context, visit itemset.Visit) (itemset.Tally, error) {
		return itemset.LCM(ctx, rows, itemset.Query{Least: itemset.Least(s.support, s.Rows()), Visit: visit})
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
	if err == nil && len(s.rules) < listed {
		return fmt.Errorf("there are %d rules only", len(s.rules))
	}
	return err
}

// draw returns random rules as a policy lists them.
func (s *set) draw(n int) (out []policy.Text) {
	seed := sha256.Sum256(fmt.Appendf(nil, "%s %d", s.file, n))
	for _, k := range rand.New(rand.NewChaCha8(seed)).Perm(len(s.rules))[:listed] {
		out = append(out, policy.Text(s.coding.Text(basket.Pattern{If: s.rules[k].If, Then: s.rules[k].Then})))
	}
	return out
}

// thresholds are those that techniques and measures look for rules with.
func (s *set) thresholds() map[string]policy.Text {
	return map[string]policy.Text{"support": text(s.support), "confidence": text(s.confidence),
		"intervals": policy.Text(strconv.Itoa(intervals))}
}

func text(v float64) policy.Text { return policy.Text(strconv.FormatFloat(v, 'g', -1, 64)) }

// release makes a release, whatever is judged of it, and measures it under the limits that hold where none are named.
func (s *set) release(ctx context.Context, path string, w way, n int, list []policy.Text, r *result) error {
	dir := filepath.Dir(path)
	seed := filepath.Join(dir, "seed"+strconv.Itoa(n))
	text := hex.EncodeToString(append(make([]byte, 31), byte(1+n))) + "\n"
	if err := os.WriteFile(seed, []byte(text), 0o600); err != nil {
		return err
	}
	said := policy.Policy{Class: s.class, Sensitive: list}
	// every measure, as every limit is judged
	v := desk.EvaluateRequest{Source: desk.Source{Path: path}, Released: path, SeedFile: seed}
	if w.method != "" {
		made := said
		made.Limits, made.Method.Name = "none", w.method
		if made.Sensitive = nil; w.hides {
			made.Sensitive, made.Method.Set = list, s.thresholds()
		}
		q := desk.ProtectRequest{Source: desk.Source{Path: path, Said: made}, SeedFile: seed, Overwrite: true,
			Release: filepath.Join(dir, "release.csv"), PlanOut: filepath.Join(dir, "plan.json")}
		if _, err := (&desk.Desk{}).Protect(ctx, q); err != nil {
			return err
		}
		v.Released, v.Plan = q.Release, q.PlanOut
	}
	said.Measures = map[string]map[string]policy.Text{}
	for _, m := range []string{"hidingfailure", "missescost", "artifactualpatterns"} {
		said.Measures[m] = s.thresholds()
		said.Measures[m]["items"] = policy.Text(strconv.Itoa(most))
	}
	said.Measures["hidingfailure"]["supersets"] = "count" // the listed rules alone
	v.Said = said
	got, err := (&desk.Desk{}).Evaluate(ctx, v)
	var broken *desk.Broken
	if err != nil && !errors.As(err, &broken) {
		return err
	}
	r.verdicts = append(r.verdicts, string(got.Outcome.Verdict.State))
	for k := range got.Outcome.Measures {
		if err := r.put(&got.Outcome.Measures[k]); err != nil {
			return err
		}
	}
	return nil
}

// put adds a measured figure to its list.
func (r *result) put(m *study.Measured) error {
	list := map[string]*[]float64{"hidingfailure": &r.failure, "missescost": &r.misses,
		"artifactualpatterns": &r.artifacts, "found": &r.all}[m.Name]
	if m.Name == "found" && strings.Contains(m.Intruder, "quasi") {
		list = &r.found
	}
	if list == nil {
		return nil
	}
	if !m.Err.Empty() {
		return fmt.Errorf("%s: %s", m.Name, m.Err)
	}
	*list = append(*list, m.Value.Score)
	return nil
}
