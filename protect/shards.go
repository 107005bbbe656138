package protect

// What the cards of techniques say of a table that is larger than the memory, whose records are not all at hand at once
// (card.Card.Shards). Whatever a technique is fitted from, its plan and release are those of a table in memory, byte by
// byte: sums are of whole numbers, or made in the order of the records.
const (
	FromSample  = "fitted to a sample of the records and to counts of all records in the leaves"
	FromCounts  = "fitted from counts of the values"
	FromMoments = "fitted from sums of the values and their products"
	FromDomains = "fitted from the domains of the columns alone"
)
