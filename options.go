package dither

import (
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/study/judge"
)

// Option says how a call is made. Without any, everything is as safe as it can be.
type Option func(*options)

type options struct {
	seed        rng.Seed
	seeded      bool
	method      *protect.Method
	plan        protect.Plan
	hierarchies hierarchy.Set
	beside      *Data
	unpaired    bool
	key         string
	progress    func(work string, done, total int)

	// Of a release that confirms a choice.
	set    map[string]string // parameters of the method; nil for those of the policy
	worked []study.Demand    // limits on how the technique works, as it was measured
}

func optionsOf(list []Option) (o options) {
	o.seed = rng.Fresh()
	for _, set := range list {
		set(&o)
	}
	return o
}

// Seed makes a call repeatable: the same seed, table, policy and version give the same release and figures. Anyone who
// has it can undo the noise. Without it a call takes the short one of the policy or, where that has none, a fresh one.
// A release by a short seed (rng.ShortSeed) is withheld unless that is accepted.
func Seed(s rng.Seed) Option { return func(o *options) { o.seed, o.seeded = s, true } }

// Technique protects by this technique, which may be the caller's own, in place of that of the policy. A plan that it
// fitted before is applied as it is; for nil, it fits one to the table.
func Technique(m protect.Method, fitted protect.Plan) Option {
	return func(o *options) { o.method, o.plan = &m, fitted }
}

// Hierarchies are value generalisation hierarchies by column, besides those of the policy.
func Hierarchies(h hierarchy.Set) Option { return func(o *options) { o.hierarchies = h } }

// Unpaired says that no record of a release is anybody's, as of a table that was drawn from a model, or that the order
// is another: no measure of single records is taken.
func Unpaired() Option { return func(o *options) { o.unpaired = true } }

// Key pairs the records of a release with those of its original by a column that both hold, an identifier of the
// original whose values are there once each.
func Key(column string) Option { return func(o *options) { o.key = column } }

// Progress is told how far a piece of work is. It is called from any goroutine.
func Progress(tell func(work string, done, total int)) Option {
	return func(o *options) { o.progress = tell }
}

// told is what a count of steps is told to; nil for nobody.
func (o *options) told(work string) func(done, total int) {
	if o.progress == nil {
		return nil
	}
	return func(done, total int) { o.progress(work, done, total) }
}

// begin shows how far a piece of work is; nil for nobody.
func (o *options) begin() func(work string) judge.Progress {
	if o.progress == nil {
		return nil
	}
	return func(work string) judge.Progress { return progress{o.progress, work} }
}

type progress struct {
	tell func(work string, done, total int)
	work string
}

func (p progress) Done(done, total int64) { p.tell(p.work, int(done), int(total)) }
func (p progress) End()                   {}
