package hidingeffects

import "testing"

// A rule that the release makes weaker counts for one measure and against the other, which also has the reversed sign.
func TestSigns(t *testing.T) {
	f := &Found{Unit: 1, Rules: []Rule{{Before: Terms{A: .5, B: .5, X: .9}, After: Terms{A: .5, B: .5, X: .6}}}}
	j, level := jMeasure(f), levelOfPrivacy(f)
	if j.Score <= 0 || level.Score >= 0 || level.Parts[3].Score != -level.Score {
		t.Errorf("J is lower by %v; J' changes by %v, reversed %v", j.Score, level.Score, level.Parts[3].Score)
	}
}
