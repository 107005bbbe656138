package table

import "testing"

func TestParseRoleReadsWhatStringWrites(t *testing.T) {
	for r := range Role(32) {
		if got, err := ParseRole(r.String()); err != nil || got != r {
			t.Errorf("ParseRole(%q) = %v, %v", r.String(), got, err)
		}
		if n := r.Names(); r == 0 && (len(n) != 1 || n[0] != "other") {
			t.Errorf("Names of no role are %v", n)
		}
	}
	for text, want := range map[string]Role{"qi": Quasi, "id": Identifier, "sensitive": Confidential,
		"qi+sensitive": Quasi | Confidential,
		"person":       Person | Identifier, "household": Household | Identifier, "identifier+person": Person | Identifier} {
		got, err := ParseRole(text)
		if err != nil || got != want {
			t.Errorf("ParseRole(%q) = %v, %v", text, got, err)
		}
		if again, err := ParseRole(got.String()); err != nil || again != got {
			t.Errorf("%q is written as %q", text, got)
		}
	}
	for _, bad := range []string{"", "Class", "class+", "class,weight", "other+class"} {
		if r, err := ParseRole(bad); err == nil {
			t.Errorf("ParseRole(%q) = %v, want an error", bad, r)
		}
	}
}
