package prediction

import "testing"

func TestConfusion(t *testing.T) {
	actual := []int32{1, 1, 0, 2, 1, 0, -1, 1, 2}
	predicted := []int32{1, 0, 0, 1, 1, 2, 1, 1, 2}
	c := Confuse(actual, predicted, 1)
	if want := (Confusion{TrueNegative: 3, FalseNegative: 1, FalsePositive: 1, TruePositive: 3}); c != want {
		t.Fatalf("%+v, expected %+v", c, want)
	}
	for name, got := range map[string][2]float64{
		"acc": {c.Accuracy(), 0.75}, "pd": {c.Detection(), 0.75}, "prec": {c.Precision(), 0.75}, "pf": {c.FalseAlarm(), 0.25},
	} {
		if got[0] != got[1] {
			t.Errorf("%s is %v, expected %v", name, got[0], got[1])
		}
	}
	none := Confuse([]int32{0, -1}, []int32{0, 1}, 1)
	if none.Accuracy() != 1 || none.Detection() != 0 || none.Precision() != 0 || none.FalseAlarm() != 0 {
		t.Errorf("without positives: %+v", none)
	}
}
