package prediction

// Confusion counts the predictions of one class, the positive one, against the truth (Peters 2011, section 4.2).
type Confusion struct {
	TrueNegative, FalseNegative, FalsePositive, TruePositive int
}

// Confuse counts records by actual and predicted class, given as codes. Records whose actual class is missing (-1) are
// left out. The slices must have the same length.
func Confuse(actual, predicted []int32, positive int32) Confusion {
	var c Confusion
	for i, a := range actual {
		switch is, said := a == positive, predicted[i] == positive; {
		case a < 0:
		case is && said:
			c.TruePositive++
		case is:
			c.FalseNegative++
		case said:
			c.FalsePositive++
		default:
			c.TrueNegative++
		}
	}
	return c
}

// Accuracy returns the share of all records that are predicted right (acc), in [0, 1]. This and the other shares are 0
// where there is no record to take the share of.
func (c Confusion) Accuracy() float64 {
	return share(c.TrueNegative+c.TruePositive, c.FalseNegative+c.FalsePositive)
}

// Detection returns the share of the positive records that are found (pd, recall), in [0, 1].
func (c Confusion) Detection() float64 { return share(c.TruePositive, c.FalseNegative) }

// Precision returns the share of the positive predictions that are right (prec), in [0, 1].
func (c Confusion) Precision() float64 { return share(c.TruePositive, c.FalsePositive) }

// FalseAlarm returns the share of the negative records that are taken for positive (pf), in [0, 1].
func (c Confusion) FalseAlarm() float64 { return share(c.FalsePositive, c.TrueNegative) }

// share returns part of part + rest; 0 when both are 0.
func share(part, rest int) float64 {
	if part == 0 {
		return 0
	}
	return float64(part) / float64(part+rest)
}
