package protect

import (
	"context"

	"github.com/dither-data/dither/internal/stats/aggregate"
)

// Aggregated is a technique that is fitted from aggregates of the records: by passes over a table that nobody holds as
// a whole. It has one fit, which Fit calls with a table on one machine (aggregate.Over). What it asks for, and in which
// order, depends on its parameters, the schema, the source and the answers alone, for where records are in shards it is
// asked again, from the start, after every pass.
type Aggregated interface {
	Technique
	// FitAggregates is Fit for all records.
	FitAggregates(ctx context.Context, r *aggregate.Records) (Plan, error)
}
