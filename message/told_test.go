package message

import "testing"

// TestToldShares: a share that is not to be told is what it is under or over wherever it stands in a sentence, in the
// decimals that it has there; the sentence that it was made of stays.
func TestToldShares(t *testing.T) {
	by := func(v float64) (lo, hi float64, told bool) {
		switch {
		case v > 0.9:
			return 0.9, 1, true
		case v < -0.9:
			return -1, -0.9, true
		case v < 0:
			return -0.1, 0, true
		case v < 0.1:
			return 0, 0.1, true
		}
		return v, v, false
	}
	for _, c := range []struct {
		s         Sentence
		was, told string
	}{
		{Share(0.05), "5 %", "under 10 %"},
		{Share(0.5), "50 %", "50 %"},
		{Share(-0.05), "−5 %", "over −10 %"},
		{Share(-0.95), "−95 %", "under −90 %"},
		{Say("measure.accuracy.head.value").Percent("before", 98.3, 1).Percent("after", 50, 1),
			"98.3 → 50.0 %", "over 90.0 → 50.0 %"},
		{Series([]Sentence{Share(0.95), Text("a"), Listed([]Sentence{Share(0.01)})}),
			"95 % · a · 1 %", "over 90 % · a · under 10 %"},
		{Choices([]Sentence{Share(0.95), Share(0.3)}), "95 %, or 30 %", "over 90 %, or 30 %"},
	} {
		if got := c.s.Told(by).String(); got != c.told || c.s.String() != c.was {
			t.Errorf("%q is told as %q, expected %q", c.s, got, c.told)
		}
	}
	if !(Sentence{}).Told(by).Empty() {
		t.Error("nothing is told as something")
	}
}
