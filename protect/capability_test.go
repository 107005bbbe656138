package protect_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/protect"
)

// A claim is named after its interface, has a word of its own, and says what it is good for.
func TestClaimsAreNamedAfterTheirInterfaces(t *testing.T) {
	words := map[string]bool{}
	for _, c := range protect.Capabilities() {
		if c.Interface.String() != string(c.Claim) {
			t.Errorf("%q is the claim of %v", c.Claim, c.Interface)
		}
		if words[c.Word] || c.Word == "" || c.Means == "" || strings.HasSuffix(c.Means, ".") {
			t.Errorf("%q has the word %q and means %q", c.Claim, c.Word, c.Means)
		}
		words[c.Word] = true
	}
}

func TestHas(t *testing.T) {
	type checked struct{ protect.Checker }
	type noted struct{ protect.Noted }
	want := []protect.Claim{protect.Notes, protect.Checks}
	if got := protect.Has(checked{}, noted{}); !slices.Equal(got, want) {
		t.Errorf("both can do %q; expected %q", got, want)
	}
	if got := protect.Words(want); !slices.Equal(got, []string{"notes", "check"}) {
		t.Errorf("the words are %q", got)
	}
}
