package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/measures"
	_ "github.com/dither-data/dither/catalog/techniques"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/found"
	"github.com/dither-data/dither/measure/linkage"
	"github.com/dither-data/dither/measure/uncertainty"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// settings are those of the papers where a default is another.
var settings = map[string]map[string]string{"extframework": {"p": "0.1"}}

// techniques are of all kinds: noise in leaves and without, of numbers and of categories, swaps, groups, generalising
// and suppressing.
var techniques = []string{
	"framework",
	"randomframework",
	"extframework",
	"forestframework",
	"correlatednoise",
	"multiplicativenoise",
	"kimwinkler",
	"rankswap",
	"mdav",
	"pram",
	"kanonymise",
	"localsuppression",
}

// result is what was measured of one release.
type result struct {
	set, technique string
	found          []measure.Attack // against those who know more and more
	// shares found by the attacks alone, with all that is known; -1 where one does not apply
	singles      []float64
	held, trials int    // of the upper bounds
	why          string // there is no release
}

// singles are the attacks alone.
var singles = []string{"distance", "agreement", "law known", "law unknown", "look-up"}

// hold protects a set by a technique and measures the release.
func hold(ctx context.Context, s set, technique string, trials int) (result, error) {
	out := result{set: s.title, technique: technique}
	m, err := catalog.Method(technique)
	if err != nil {
		return out, err
	}
	p, err := study.Protect(
		ctx,
		study.Request{
			KeepOrder: true,
			Table:     s.Table,
			Method:    m,
			Set:       settings[technique],
			Seed:      rng.SeedOf(sha256.Sum256([]byte(s.title + technique))),
		},
	)
	if err != nil {
		out.why = err.Error()
		return out, ctx.Err()
	}
	r, err := p.Release(nil)
	if err != nil {
		return out, err
	}
	who := nested(r.Original)
	src := rng.New(sha256.Sum256([]byte("people")))
	for k := range who {
		v, err := found.Measure.New().Measure(ctx, r.Against(&who[k]), src)
		if err != nil {
			return out, fmt.Errorf("%s by %s: %w", s.title, technique, err)
		}
		out.found = append(out.found, v.Detail.(*found.Detail).Attack())
	}
	all := &who[len(who)-1]
	for _, one := range singles {
		share, err := single(ctx, r, *all, one)
		if err != nil {
			return out, fmt.Errorf("%s by %s, %s: %w", s.title, technique, one, err)
		}
		out.singles = append(out.singles, share)
	}
	few := param.Default(&found.Meter{})
	few.People = 200
	for k := range trials {
		a, truth, err := few.Everybody(ctx, r.Against(&who[1]), src.Fork(fmt.Sprint(k)))
		if err != nil {
			return out, err
		}
		if out.trials++; slices.Max(truth) <= a.Hi {
			out.held++
		}
	}
	return out, nil
}

// nested returns intruders who know two of the quasi-identifiers, all of them, and everything but the class.
func nested(t *table.Table) []intruder.Intruder {
	var quasi []string
	for j := range t.Width() {
		if t.Attr(j).Role&table.Quasi != 0 {
			quasi = append(quasi, t.Attr(j).Name)
		}
	}
	return []intruder.Intruder{
		{Name: "two", Knows: quasi[:2]},
		{Name: "quasi-identifiers", Knows: quasi},
		{Name: "all", Knows: []string{intruder.All}},
	}
}

// single returns the share of everybody that one attack finds alone with all that the intruder knows; -1 where it does
// not apply.
func single(ctx context.Context, r *measure.Release, who intruder.Intruder, name string) (float64, error) {
	src := rng.New([32]byte{1})
	switch name {
	case "look-up":
		return lookUp(r, &who)
	case "distance", "agreement":
		m := param.Default(&linkage.LinkageMeter{})
		if name == "agreement" {
			m.Method = linkage.Probabilistic
		}
		v, err := m.Measure(ctx, r.Against(&who), src)
		return v.Score, err
	}
	who.Unaware = name == "law unknown"
	m := param.Default(&uncertainty.ReidentificationMeter{})
	m.Pairs = math.MaxInt // everybody
	v, err := m.Measure(ctx, r.Against(&who), src)
	switch {
	case errors.Is(err, measure.ErrNotApplicable):
		return -1, nil
	case err != nil:
		return 0, err
	}
	return *v.Detail.(uncertainty.ReidentificationDetail).Found, nil
}

// lookUp counts plainly: who has the same values in the release as in the original is found among all records that have
// them.
func lookUp(r *measure.Release, who *intruder.Intruder) (float64, error) {
	view, err := who.On(r.Original.Attrs())
	if err != nil {
		return 0, err
	}
	key := func(t *table.Table, i int) string {
		var b strings.Builder
		for _, j := range view.Columns() {
			c := t.Column(j)
			fmt.Fprintf(&b, "%v %v|", t.MissingAt(i, j), c.Numbers()[i])
		}
		return b.String()
	}
	count := map[string]float64{}
	n := r.Original.Rows()
	for i := range n {
		count[key(r.Released, i)]++
	}
	sum := 0.0
	for i := range n {
		if k := key(r.Released, i); k == key(r.Original, i) {
			sum += 1 / count[k]
		}
	}
	return sum / float64(n), nil
}
