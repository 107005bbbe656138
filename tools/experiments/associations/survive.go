package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/measures"
	_ "github.com/dither-data/dither/catalog/techniques"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/found"
	"github.com/dither-data/dither/measure/rulepreservation"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/rerun"
)

// techniques are of all kinds that take categories: noise in leaves and without, swaps, groups, generalising and
// suppressing.
var techniques = []string{
	"framework",
	"randomframework",
	"extframework",
	"forestframework",
	"pram",
	"dataswap",
	"recordswap",
	"mrr",
	"localsuppression",
	"kanonymise",
}

// settings are those of the papers where a default is another.
var settings = map[string]map[string]string{"extframework": {"p": "0.1"}}

// set is a data set.
type set struct {
	title string
	*table.Table
	rules int // of the original
}

func load(ctx context.Context) ([]set, error) {
	var sets []set
	for _, d := range []struct {
		title, file, class string
		quasi              []string
	}{
		{"Adult", "adult/adult.csv", "income",
			[]string{"age", "workclass", "education", "marital_status", "occupation", "race", "sex", "native_country"}},
		{"Mushroom", "mushroom/mushroom.csv", "class",
			[]string{"cap_shape", "cap_color", "bruises", "odor", "gill_color", "habitat", "population"}},
	} {
		t, err := rerun.Read(ctx, d.file)
		if err != nil {
			return nil, err
		}
		if t, err = rerun.Classed(t, d.class); err != nil {
			return nil, err
		}
		for _, name := range d.quasi {
			j := t.Find(name)
			if j < 0 {
				return nil, fmt.Errorf("%s has no column %q", d.file, name)
			}
			a := *t.Attr(j)
			a.Role = table.Quasi
			t = t.WithAttr(j, a)
		}
		sets = append(sets, set{title: d.title, Table: t})
	}
	return sets, nil
}

// row is what became of the rules by one technique, by data set.
type row struct {
	technique string
	cells     []cell
}

// cell is the figures of several releases.
type cell struct {
	why     string // there is no release
	jaccard []float64
	kept    float64        // of the original's rules, mean
	fresh   float64        // of the release's rules, mean
	changed float64        // change of confidence of those that stay, mean
	found   measure.Attack // of the first release, by who knows the quasi-identifiers
}

func survive(ctx context.Context, sets []set, technique string, repeats int) (row, error) {
	out := row{technique: technique}
	m, err := catalog.Method(technique)
	if err != nil {
		return out, err
	}
	for k := range sets {
		c := cell{}
		for n := range repeats {
			p, err := study.Protect(
				ctx,
				study.Request{
					KeepOrder: true,
					Table:     sets[k].Table,
					Method:    m,
					Set:       settings[technique],
					Seed:      rng.SeedOf(sha256.Sum256(fmt.Appendf(nil, "%s %s %d", sets[k].title, technique, n))),
				},
			)
			if ctx.Err() != nil {
				return out, ctx.Err()
			}
			if err != nil {
				c.why = err.Error()
				break
			}
			r, err := p.Release(nil)
			if err != nil {
				return out, err
			}
			v, err := rulepreservation.RuleSurvival.New().Measure(ctx, r, rng.Source{})
			if err != nil {
				return out, fmt.Errorf("%s by %s: %w", sets[k].title, technique, err)
			}
			d := v.Detail.(rulepreservation.RuleSurvivalDetail)
			if r.Exact == nil {
				sets[k].rules = d.Original
			}
			if n == 0 {
				if c.found, err = attack(ctx, r); err != nil {
					return out, fmt.Errorf("%s by %s: %w", sets[k].title, technique, err)
				}
			}
			c.jaccard = append(c.jaccard, v.Score)
			c.kept += float64(d.Kept) / float64(max(1, d.Original)) / float64(repeats)
			c.fresh += float64(d.New) / float64(max(1, d.Released)) / float64(repeats)
			if changed := v.Part("confidence-change"); changed == changed {
				c.changed += changed / float64(repeats)
			}
		}
		out.cells = append(out.cells, c)
	}
	return out, nil
}

// attack finds people by their quasi-identifiers.
func attack(ctx context.Context, r *measure.Release) (measure.Attack, error) {
	who := intruder.Defaults(r.Original.Attrs())[0]
	v, err := found.Measure.New().Measure(ctx, r.Against(&who), rng.New(sha256.Sum256([]byte("people"))))
	if err != nil {
		return measure.Attack{}, err
	}
	return v.Detail.(*found.Detail).Attack(), nil
}

// meanAndRange are those of the figures.
func meanAndRange(x []float64) (mean, lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range x {
		mean, lo, hi = mean+v/float64(len(x)), math.Min(lo, v), math.Max(hi, v)
	}
	return mean, lo, hi
}
