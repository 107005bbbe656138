package study

import "testing"

func TestGrouped(t *testing.T) {
	for text, want := range map[string]string{
		"Of 30162 people, 515 (1.7 %)":    "Of 30,162 people, 515 (1.7 %)",
		"1234567 rows, (12345) of 9999":   "1,234,567 rows, (12,345) of 9999",
		"0.000123456 and 12345.678901 in": "0.000123456 and 12,345.678901 in",
		"30162":                           "30,162",
		"a12345 is a name":                "a12345 is a name",
	} {
		if got := grouped(text); got != want {
			t.Errorf("%q becomes %q, expected %q", text, got, want)
		}
	}
}
