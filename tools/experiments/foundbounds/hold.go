package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/measures"
	_ "github.com/dither-data/dither/catalog/techniques"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure/found"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// people are those of a table, and asked those of whom a call asks: half select, half count.
const people, asked = 1000, 200

// techniques are of all kinds.
var techniques = []string{
	"framework", "extframework", "forestframework", "correlatednoise", "multiplicativenoise", "kimwinkler", "rankswap",
	"mdav", "pram", "kanonymise", "localsuppression", "randomframework",
}

// call is what one call of the measure says, beside what is true.
type call struct{ share, lo, hi, truth float64 }

// result is what the calls say of one release.
type result struct {
	technique string
	near      bool // two attackers of different shares are nearly as strong as each other
	calls     []call
}

// hold makes the k-th release and calls the measure as often as asked, once where the release is not wanted.
func hold(ctx context.Context, k, calls int, wanted func(near bool) bool) (result, error) {
	out := result{technique: techniques[k%len(techniques)]}
	seed := func(what string) rng.Seed { return rng.SeedOf(sha256.Sum256(fmt.Appendf(nil, "%s %d", what, k))) }
	t := some(study.WithoutIdentifiers(generate.Patients(people, rng.New(seed("table")))), rng.New(seed("columns")))
	m, err := catalog.Method(out.technique)
	if err != nil {
		return out, err
	}
	p, err := study.Protect(ctx, study.Request{KeepOrder: true, Table: t, Method: m, Seed: seed("noise")})
	if err != nil {
		return out, ctx.Err() // the columns do not suffice
	}
	r, err := p.Release(nil)
	if err != nil {
		return out, err
	}
	who := &intruder.Intruder{Name: "all", Knows: []string{intruder.All}}
	few := param.Default(&found.Meter{})
	few.People = asked
	for c := range calls {
		a, shares, err := few.Everybody(ctx, r.Against(who), rng.New(seed(fmt.Sprint("people ", c))))
		if err != nil {
			return out, err
		}
		if c == 0 {
			if out.near = near(shares); !wanted(out.near) {
				return out, nil
			}
		}
		out.calls = append(out.calls, call{a.Share, a.Lo, a.Hi, slices.Max(shares)})
	}
	return out, nil
}

// near reports whether an attacker finds fewer people than the best, but at least nine tenths of them.
func near(shares []float64) bool {
	best := slices.Max(shares)
	return slices.ContainsFunc(shares, func(s float64) bool { return s < best && s >= 0.9*best })
}

// some returns two to all columns of a table beside the class.
func some(t *table.Table, src rng.Source) *table.Table {
	r := src.Rand()
	order := r.Perm(t.Width())
	class := t.WithRole(table.Class)
	order = slices.DeleteFunc(order, func(j int) bool { return j == class })
	cols := append(order[:2+r.IntN(len(order)-1)], class)
	slices.Sort(cols)
	return t.Select(cols...)
}

// covers reports whether the bounds, each for itself, hold what is true.
func (c call) covers() (lo, hi bool) { return c.lo <= c.truth, c.truth <= c.hi }

// agree counts the ordered pairs of calls of which the figure of one lies between the bounds of the other, and all.
func agree(calls []call) (inside, all int) {
	for i, a := range calls {
		for j, b := range calls {
			if i == j {
				continue
			}
			if all++; b.lo <= a.share && a.share <= b.hi {
				inside++
			}
		}
	}
	return inside, all
}

// apart counts the pairs of calls whose bounds do not overlap.
func apart(calls []call) (n int) {
	for i, a := range calls {
		for _, b := range calls[:i] {
			if a.hi < b.lo || b.hi < a.lo {
				n++
			}
		}
	}
	return n
}
