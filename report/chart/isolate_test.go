package chart

import "testing"

// TestIsolated: names from right to left are isolated with the blanks and digits inside them, and nothing else is.
func TestIsolated(t *testing.T) {
	for s, want := range map[string]string{"age < 5": "age &lt; 5", "": "", "العمر": "[العمر]",
		"العمر: 12 %": "[العمر]: 12 %", "if שם העיר 2 א > 3, no": "if [שם העיר 2 א] &gt; 3, no",
		"العمر and שם": "[العمر] and [שם]", "\u202eالعمر\u202c": "[العمر]"} {
		if got := Isolated(s, "[", "]"); got != want {
			t.Errorf("%q becomes %q, expected %q", s, got, want)
		}
	}
}
