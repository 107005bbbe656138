// Package execute applies a fitted plan to a table of records about people and returns the release. It is the only way
// to make a release, for the command, for programs and for custom techniques:
//
//	src := rng.New(seed) // rng.Fresh() makes a seed
//	plan, err := protect.Fit(ctx, technique, t, src.Fork("fit"))
//	...
//	release, err := execute.Plan(ctx, plan, t, src, execute.Options{})
//
// Four things hold for every call, and no option that is left out takes them away.
//
// Noise is keyed by the plan and the table besides the seed. With noise keyed by the seed alone, releases of one table
// with a spread of 5 and of 10 are x + n and x + 2n, and twice the first less the second is the original.
//
// What a person has in several records is drawn once, where the table tells whose its records are (table.Table.Owned),
// so that the mean of the records tells no more than one of them. Release.OfPeople says where that could not be.
//
// Numbers that a technique takes from those of the original (protect.Empirical) are released between their neighbours
// where fewer than 5 people have them, unless the plan was asked for exact ones: who looks for the exact values of a
// person then does not learn that the person is in the release.
//
// Records come in a random order, since those of the original often stand in one that is known, such as that of
// admission.
//
// Of a plan that draws new records (protect.Synthetic) the last three have nothing to hold for: its release depends on
// plan and seed alone, its records are numbered from 0 and stand in that order.
//
// It does not judge: whether a release protects enough is decided by package study.
package execute

import (
	"context"
	"errors"
	"fmt"

	"github.com/dither-data/dither/internal/executor"
	"github.com/dither-data/dither/internal/noise/noisekey"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Options say how a release is made. The zero value is the safest.
type Options struct {
	protect.Options // chunks, cores, progress: they never change the release

	// KeepOrder releases the records in the order of the table: anyone who knows where a record stands in the original
	// knows which released one is whose.
	KeepOrder bool
	// Recur says that the same people are in other releases by this seed and plan, which are then released alike as long
	// as their values stay. It tells them apart, by row of the table, and names everybody.
	Recur *table.Column
	// OneEach says that every record is a person's, where the table does not tell whose its records are. A plan that
	// counts people (protect.CountsPeople) is refused otherwise.
	OneEach bool
	// Counts says in words what the technique counts of people (card.Card.People), for what the release tells of them.
	Counts string
}

// Open is one thing that a release leaves open of people with several records, or in several releases.
type Open struct {
	Title string // what it is, in a few words
	More  string // how many people it is about, and what becomes of them
}

// Release is what a plan released of a table.
type Release struct {
	// Table has the columns of the original, perturbed. Its records have the identities of theirs in the original
	// (table.Table.ID), by which they can be compared; files do not show them.
	Table    *table.Table
	Notes    []string // what was done about people with several records, or in several releases
	OfPeople []Open   // what is left open of them

	order rng.Source
}

// Plan applies a plan to a table that conforms to its schema (protect.Conforms, table.Table.Conform). Src is that of
// the seed, rng.New(seed): anyone who has the seed and the plan can undo the noise. The same plan, table, seed and
// records give the same release whatever the chunks and cores are. A source without a seed is an error
// (rng.ErrUnseeded). An error names columns and counts, never values. Cost: that of the plan, one hash of the table,
// and O(n) per column where people have several records.
func Plan(ctx context.Context, plan protect.Plan, t *table.Table, src rng.Source, opt Options) (*Release, error) {
	if err := src.Seeded(); err != nil {
		return nil, err
	}
	if protect.Synthetic(plan) {
		return synthesised(ctx, plan, t, src, opt)
	}
	t = owned(t, opt.Recur)
	if protect.CountsPeople(plan) && t.Owners() == nil && t.Households() == nil && !opt.OneEach {
		return nil, errors.New("the plan counts people, but no column identifies them: give one the role person " +
			"(--role COLUMN=person); without it groups would be of fewer people than the plan promises")
	}
	key, err := noisekey.Of(plan, t)
	if err != nil {
		return nil, err
	}
	d := &draw{plan: plan, original: t, anew: src.Fork("apply").Fork(key).Fork("anew")}
	if err := d.perturb(ctx, src, src.Fork("apply").Fork(key), &opt); err != nil {
		return nil, err
	}
	if err := d.between(ctx); err != nil {
		return nil, err
	}
	if err := d.once(ctx, opt.Counts); err != nil {
		return nil, err
	}
	if err := d.follow(ctx, src.Fork("apply").Fork(key), opt.Options); err != nil {
		return nil, err
	}
	r := &Release{Table: d.released, Notes: d.notes, OfPeople: d.open, order: src.Fork("shuffle").Fork(key)}
	if !opt.KeepOrder {
		r.Table, err = r.Shuffled(ctx, r.Table)
	}
	return r, err
}

// Together returns the release of a plan that was applied to a table elsewhere, part by part, from what it released in
// the order of the table: the release that Plan makes, with the records in their order. A table that tells whose its
// records are is an error, since a value that a person has in several records is drawn once, which parts do not do.
// Cost: one hash of the table.
func Together(plan protect.Plan, t, released *table.Table, src rng.Source) (*Release, error) {
	switch {
	case t.Owners() != nil || t.Households() != nil:
		return nil, errors.New("the release was made part by part, and the table tells which records are one person's")
	case t.Rows() != released.Rows():
		return nil, fmt.Errorf("the release has %d records, and the table %d", released.Rows(), t.Rows())
	}
	key, err := noisekey.Of(plan, t)
	if err != nil {
		return nil, err
	}
	return &Release{Table: released, order: src.Fork("shuffle").Fork(key)}, nil
}

// Shuffled puts records that are made of a release which kept its order, with other columns for instance, in the random
// order that it would have had otherwise. It has as many records as the release. Cost: O(n) per column.
func (r *Release) Shuffled(ctx context.Context, t *table.Table) (*table.Table, error) {
	return t.Shuffled(ctx, r.order)
}

// draw is a release in the making: its records stand in the order of the original.
type draw struct {
	plan               protect.Plan
	original, released *table.Table
	order              []table.RecordID // of a person's records, where people recur; nil: by identity
	anew               rng.Source       // of values that no record of a unit has drawn
	routes             *executor.Routes // nil until they are asked for
	shared             []string         // columns that are drawn once for a unit
	notes              []string         // as Release.Notes
	open               []Open           // as Release.OfPeople
}

// perturb applies the plan. Where people recur, what can be kept of each is, by the seed, and all else is drawn from
// fresh.
func (d *draw) perturb(ctx context.Context, seed, fresh rng.Source, opt *Options) (err error) {
	if opt.Recur == nil {
		d.released, err = executor.Run(ctx, d.plan, d.original, fresh, opt.Options)
		return err
	}
	if err := named(opt.Recur, d.original.Rows()); err != nil {
		return err
	}
	by := executor.Recur{Person: *opt.Recur, Seed: seed}
	d.anew = seed.Fork("anew")
	if d.released, d.order, err = executor.Recurring(ctx, d.plan, d.original, by, fresh, opt.Options); err == nil {
		d.tellRecurring()
	}
	return err
}
