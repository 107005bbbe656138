package protect

// Conditional is a plan that draws the columns of a record one after the other, each given those before it, so that
// what becomes of one depends on what is released in another. Where execution shows in all records of a person what it
// shows in the first, the plan draws the others again, given that.
type Conditional interface {
	Plan
	// Given returns a plan that leaves the named columns as they are, which hold what is released, and draws the others
	// from the same streams.
	Given(columns []string) Plan
}
