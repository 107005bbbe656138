package measure

// What the cards of measures say of tables that are larger than the memory, whose records are not all at hand at once
// (card.Card.Shards). The figure is that of the tables in memory, to the last digit: counts are of whole numbers, and
// sums are made in the order of the records.
const (
	FromMoments = "from sums of the values and their products"
	FromCounts  = "from counts of records"
)
