// Package protect is the contract of the techniques.
//
// A technique is fitted to a table and yields a plan; the plan is plain data, can be reviewed, stored and shipped, and
// is applied to the records. The same plan, seed and records give the same release in any order, any chunks, on any
// number of cores.
//
// A plan is applied by package protect/execute (execute.Plan), which gives every release noise of its own, draws once
// what a person has in several records, and releases the records in a random order. Plan.Apply does none of this: it is
// for executors.
package protect

import (
	"cmp"
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/stats/aggregate"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// Method is a catalogue entry.
type Method struct {
	card.Card
	Purpose Purpose // what one takes it for
	Usual   string  // of the few to try first: why; empty for the others
	New     func() Technique
	Plan    func() Plan // an empty plan to decode JSON into
	Claims  []Claim     // all that its technique and its plan can do, in the order of Capabilities
	Steps   []Step      // of a composite: the steps that are no technique's plan
	// Growth is with what power of the number of records its time grows, logarithms left out; 0 where that depends on
	// something else, such as how many itemsets are frequent.
	Growth float64
	// OnDomain says that its noise on a number grows with the attribute's domain, so that one outlier drowns the values of
	// everybody else.
	OnDomain bool
	// Suppresses says that it takes values away and changes none.
	Suppresses bool
	// Sets says that it changes set-valued columns, too; the others leave them alone.
	Sets bool
	// NoModel says why it has no noise model to publish, where that is another reason than its purpose's (Unpublished).
	NoModel string
}

// Step is a kind of step that a composite has for itself.
type Step struct {
	Plan   func() Plan // an empty one
	Claims []Claim     // all that it can do
}

// Technique fits plans. A value serves one fit at a time.
type Technique interface {
	Params() param.Set
	// Fit studies the table. The class, if the technique needs one, is the column with the role table.Class and must be
	// categorical. Columns with the role table.Identifier must be gone. A parameter that names a column the table lacks is
	// an error.
	Fit(ctx context.Context, t *table.Table, src rng.Source) (Plan, error)
}

// Plan is a fitted technique. It is data: its JSON holds all that decides what is released, so that through JSON and
// back it gives the same release, and noise that is keyed by the JSON is that of no other plan. It is confidential: it
// holds ranges and rules of the original.
type Plan interface {
	// Schema returns the attributes the plan was fitted on; Apply takes tables that conform to it.
	Schema() []table.Attribute
	// Changes returns the names of the columns that Apply may change, in schema order.
	Changes() []string
	// Apply returns the chunk with the columns of Changes perturbed. Executors call it; a release is made by package
	// protect/execute, since by Apply two plans and one source give two releases with the same noise, and their difference
	// is free of it. It must not write to the chunk. Randomness comes from src and the records' identities only, so that
	// any chunking gives the same release; the records of one group of a Grouper must be in one chunk.
	Apply(chunk *table.Table, src rng.Source) (*table.Table, error)
}

// Grouper is a plan whose records of one group must meet in one chunk: permutations, exact moments.
type Grouper interface {
	Plan
	// Group returns the group of every record of the chunk.
	Group(chunk *table.Table) ([]uint64, error)
}

// Corrected is a plan that says how a user of the release works out what its noise biases, such as the mean of a
// subpopulation: sentences with formulas and figures. They tell of the noise what its law is, so they help an intruder
// too and a report fit to publish leaves them out.
type Corrected interface {
	Plan
	Corrections() []message.Sentence
}

// Published is a plan whose law is public by design: with the release it tells what the original was like in the mass,
// and no more of a record than the technique promises.
type Published interface {
	Plan
	// Published returns the law by columns. It is an error where some of it depends on the original records and is
	// therefore confidential.
	Published() ([]modelfile.Part, error)
}

// Composite is a plan made of steps. Every step reads the original records; the release takes from each step the
// columns it changes (Islam 2007, section 7.1). Step k draws from src.Fork(StepLabel(k)).
type Composite interface {
	Plan
	Steps() []Plan
}

// Fit fits a technique after it has looked at its parameters, which a program may have set to anything: one out of
// range is the same error as on the command line. So is a source without a seed (rng.ErrUnseeded), since plans hold
// what was drawn, such as a rotation. Technique.Fit takes parameters and sources as they are.
func Fit(ctx context.Context, q Technique, t *table.Table, src rng.Source) (Plan, error) {
	if err := cmp.Or(src.Seeded(), q.Params().Check()); err != nil {
		return nil, err
	}
	return q.Fit(ctx, t, src)
}

// FitAggregates is Fit for a technique that is fitted from aggregates.
func FitAggregates(ctx context.Context, q Aggregated, r *aggregate.Records) (Plan, error) {
	if err := cmp.Or(r.Source.Seeded(), q.Params().Check()); err != nil {
		return nil, err
	}
	return q.FitAggregates(ctx, r)
}
