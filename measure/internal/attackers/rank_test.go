package attackers

import "testing"

// TestRank: the attack with the best subset is first; of equals the one with the most clues, which is seldom worse for other people, and of these the first.
func TestRank(t *testing.T) {
	a, b, c, d := &line{right: []float64{1, 8, 8}, n: 8}, &line{right: []float64{0, 1, 2, 8}, n: 8}, &line{right: []float64{8, 8, 8, 8, 7}, n: 8}, &line{right: []float64{7, 7, 7, 7, 7}, n: 8}
	lines := []*line{d, a, b, c}
	rank(lines)
	for k, want := range []*line{b, c, a, d} {
		if lines[k] != want {
			t.Errorf("place %d: %v", k, lines[k].right)
		}
	}
}
