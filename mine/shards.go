package mine

// What the cards of miners say of a table that is larger than the memory, whose records are not all at hand at once
// (card.Card.Shards). The model is that of the table in memory, to the last bit, and what is found in it comes in the
// same order.
const (
	FromCounts  = "from counts of the values, in passes over the columns"
	FromColumns = "the same search in columns kept on disk; the results are in memory"
)
