// Package stages applies techniques one after another, each to the release of the previous one: recode, then suppress
// locally, then PRAM.
//
// The first technique is fitted to the table and applied, the second is fitted to that release, and so on. One plan
// holds the plans of all stages, and applying it applies them in order. A composite (protect.Composite) is another
// thing: all its steps read the original.
//
// What an informed intruder learns: no law of all stages together is stated, so risks are estimated from pairs of
// records. Where the first stage keeps records in segments, and no later one generalises, the certificate counts who is
// still inside at the end, and an intruder may know the segments.
//
// Randomness: every stage draws from a stream of its own. A later stage is fitted to a release of the earlier ones with
// noise of its own, not with that of the release that the plan makes: a plan holds nothing of the latter.
//
// Reference: the order of steps that microdata protection in practice follows, Hundepool and others 2012, "Statistical
// Disclosure Control", section 3.
package stages

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Joint stands between the names of the techniques: "globalrecode-then-localsuppression-then-pram".
const Joint = "-then-"

// Prefix stands before the names of the parameters of a stage, counted from 1: "2.k".
func Prefix(stage int) string { return strconv.Itoa(stage) + "." }

// Split returns the Prefix of the stage that a parameter is of, and its own name; the prefix is empty where it is of
// none.
func Split(name string) (prefix, own string) {
	number, own, ok := strings.Cut(name, ".")
	if _, err := strconv.Atoi(number); !ok || err != nil {
		return "", name
	}
	return number + ".", own
}

// Of returns the technique that applies others, two at least, one after another. Its parameters are theirs, behind
// Prefix.
func Of(methods ...protect.Method) protect.Method {
	first := methods[0]
	names, titles, called := make([]string, len(methods)), make([]string, len(methods)), make([]string, len(methods))
	recodes, domain := false, false
	purpose := first.Purpose
	var needs, changes, preserves, biases, exposes, missing []string
	for k, m := range methods {
		names[k], titles[k], called[k] = m.Name, m.Title, m.Called()
		// and no PRAM
		if _, lower := utf8.DecodeRuneInString(m.Title); k > 0 && len(m.Title) > lower &&
			strings.ToLower(m.Title[lower:]) == m.Title[lower:] {
			titles[k] = strings.ToLower(m.Title)
		}
		if purpose == protect.Hides { // which protects nobody: another stage may
			purpose = m.Purpose
		}
		recodes, domain = recodes || claims(m, protect.Recodes), domain || m.OnDomain
		said := func(list []string, what string) []string { return append(list, m.Name+": "+what) }
		needs, changes, preserves = said(needs, m.Needs), said(changes, m.Changes), said(preserves, m.Preserves)
		biases, exposes, missing = said(biases, m.Biases), said(exposes, m.Exposes), said(missing, m.Missing)
	}
	all := func(list []string) string { return strings.Join(list, "; then ") }
	c := first.Card
	c.Name, c.Title, c.Aliases = strings.Join(names, Joint), strings.Join(titles, ", then "), nil
	c.Short = strings.Join(called, ", then ")
	c.Shards = "" // what the stages hand on is on the heap
	c.People = "" // a later stage may undo what an earlier one promises
	c.Summary = "Applies " + strings.Join(names, ", then ") + ", each to what the one before released."
	c.Needs, c.Changes, c.Preserves = all(needs), all(changes), all(preserves)
	c.Biases, c.Exposes, c.Missing = all(biases), all(exposes), all(missing)
	c.Cost = "the sum of the stages, twice for the fit"
	out := protect.Method{Card: c, Purpose: purpose, OnDomain: domain, Growth: growth(methods),
		New:  func() protect.Technique { return newTechnique(methods, recodes) },
		Plan: func() protect.Plan { return &Plan{of: methods} },
		Claims: []protect.Claim{protect.Segments, protect.Divides, protect.Groups, protect.Notes, protect.Describes,
			protect.Checks, protect.TakesHierarchies, protect.BoundsOdds, protect.TakesNumbers},
	}
	if recodes {
		out.Plan = func() protect.Plan { return &Recoding{Plan{of: methods}} }
		out.Claims = append([]protect.Claim{protect.Recodes, protect.Raises, protect.Spans}, out.Claims...)
	}
	return out
}

// growth is that of the stage whose time grows fastest; 0 where it is not known of all.
func growth(methods []protect.Method) (most float64) {
	for _, m := range methods {
		if m.Growth == 0 {
			return 0
		}
		most = max(most, m.Growth)
	}
	return most
}

func claims(m protect.Method, c protect.Claim) bool {
	for _, own := range m.Claims {
		if own == c {
			return true
		}
	}
	return false
}

// Technique holds the techniques of the stages with their parameters.
type Technique struct {
	of          []protect.Method
	stages      []protect.Technique
	recodes     bool
	hierarchies hierarchy.Set
}

func newTechnique(methods []protect.Method, recodes bool) *Technique {
	q := &Technique{of: methods, recodes: recodes}
	for _, m := range methods {
		q.stages = append(q.stages, m.New())
	}
	return q
}

// Params declares the parameters of all stages.
func (q *Technique) Params() (all param.Set) {
	for k, s := range q.stages {
		for _, p := range s.Params() {
			p = p.Under(Prefix(k + 1))
			all = append(all, p)
		}
	}
	return all
}

// UseHierarchies gives the hierarchies. A stage gets those of the columns that no earlier one generalised.
func (q *Technique) UseHierarchies(h hierarchy.Set) { q.hierarchies = h }

// Fit fits every stage to the release of those before.
func (q *Technique) Fit(ctx context.Context, t *table.Table, src rng.Source) (protect.Plan, error) {
	p := &Plan{of: q.of}
	original := t
	for k, s := range q.stages {
		if i, ok := s.(protect.Itemised); ok && k > 0 { // people name items as they see them
			i.UseItems(original)
		}
		if h, ok := s.(protect.Hierarchical); ok && len(q.hierarchies) > 0 {
			h.UseHierarchies(p.exact(q.hierarchies))
		}
		own := src.Fork(label(k))
		fitted, err := protect.Fit(ctx, s, t, own)
		if err != nil {
			return nil, fmt.Errorf("stage %d, %s: %w", k+1, q.of[k].Name, err)
		}
		p.Stages = append(p.Stages, Stage{q.of[k].Name, fitted})
		if k == len(q.stages)-1 {
			break
		}
		before := t.Rows()
		if t, err = release(ctx, fitted, t, own.Fork("release")); err != nil {
			return nil, fmt.Errorf("stage %d, %s: %w", k+1, q.of[k].Name, err)
		}
		if before > 0 && t.Rows() == 0 {
			return nil, errors.New("a stage leaves no record for the next one")
		}
	}
	if q.recodes {
		return &Recoding{*p}, nil
	}
	return p, nil
}

// label is that of the fork that a stage, counted from 0, draws from.
func label(stage int) string { return "stage " + strconv.Itoa(stage+1) }
