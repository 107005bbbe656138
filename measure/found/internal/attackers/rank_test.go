package attackers

import "testing"

// TestRank: the attack with the best subset is first, of equals the earlier one, and those that were right for
// everybody are told from the others.
func TestRank(t *testing.T) {
	a, b, c, d := &line{
		right: []float64{1, 8, 8},
		n:     8,
	}, &line{
		right: []float64{0, 1, 2, 8},
		n:     8,
	}, &line{
		right: []float64{8, 8, 8, 8, 7.5},
		n:     8,
	}, &line{
		right: []float64{7, 7, 7, 7.9},
		n:     8,
	}
	lines := []*line{d, a, b, c}
	rank(lines)
	for k, want := range []*line{a, b, c, d} {
		if lines[k] != want {
			t.Errorf("place %d: %v", k, lines[k].right)
		}
	}
	for n, lines := range [][]*line{{d}, {a, d}, {a, b, d}, {a, b, c}} {
		if got := perfect(lines); len(got) != n {
			t.Errorf("%d of %d are right for everybody, expected %d", len(got), len(lines), n)
		}
	}
}
