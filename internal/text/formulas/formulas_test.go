package formulas

import "testing"

func TestRuns(t *testing.T) {
	for label, want := range map[string]bool{
		"=1+1": true, "+cmd": true, "-x": true, "@SUM(A1)": true, "\tx": true, "\rx": true, "＝1+1": true, "＋x": true,
		"\n=1": true, "  =1": true, "\u200b=1": true, "\ufeff@x": true,
		"": false, "-1": false, "+2,5": false, "\n-1": false, "a=1": false, "'=1": false, "\nx": false, "1-1": false,
	} {
		if got := runs(label); got != want {
			t.Errorf("%q: %v", label, got)
		}
	}
}
