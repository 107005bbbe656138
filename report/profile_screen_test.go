package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/table"
)

// ofItsOwn is a reason that no other column has.
func ofItsOwn(k int) []profile.Clause {
	s := message.Text(fmt.Sprintf("a reason of its own, %c", 'a'+k))
	return []profile.Clause{{Says: s, General: s}}
}

// TestRoleGroups: columns of one reason are a group, whatever is in their names and figures, and the group is told what
// holds for all of them; columns of another reason, or another role, are not in it.
func TestRoleGroups(t *testing.T) {
	tricky := message.Say("suggested.named").Name("word", `5 "apples"; and more`).
		Part("says", message.Say("suggested.demographic"))
	known := []profile.Clause{{Says: tricky, General: message.Say("suggested.demographic")}}
	plain := slices.Clone(known)
	plain[0].Says = message.Say("suggested.named").Name("word", "age").Part("says", known[0].General)
	clinical := []profile.Clause{{Says: plain[0].Says, General: message.Say("suggested.clinical")}}
	counted := func(n int) []profile.Clause {
		return []profile.Clause{{Says: message.Say("suggested.categories").Count("n", n)}}
	}
	var roles []profile.Suggestion
	for k, why := range [][]profile.Clause{known, plain, clinical, counted(3), counted(1200), known} {
		roles = append(roles, profile.Suggestion{Column: fmt.Sprint(k), Role: table.Quasi, Why: why})
	}
	roles[5].Role = table.Confidential
	var got []string
	for _, g := range roleGroups(roles) {
		got = append(got, strings.Join(g.columns, "+")+" "+g.reason.String())
	}
	want := []string{"0+1 others often know this about a person", "2 " + clinical[0].Says.String(), "3+4 3 categories",
		"5 " + tricky.String()}
	if !slices.Equal(got, want) {
		t.Errorf("%q; expected %q", got, want)
	}
}

// TestInspectScreen: whatever the names, a table of 60 columns fits a screen, who can be picked out comes first, and a
// reason is given once for a group.
func TestInspectScreen(t *testing.T) {
	known, measured := message.Say("suggested.demographic"), message.Say("suggested.measurement")
	for kind, rename := range awkward {
		p := &profile.Profile{Rows: 1000}
		var roles []profile.Suggestion
		e := &profile.Exposure{Rows: 1000, Uniques: 400, UniqueShare: 0.4, BelowFive: 700}
		for k := range 60 {
			name := rename(fmt.Sprint("column ", k))
			p.Columns = append(p.Columns, profile.Column{Name: name, Uniqueness: float64(k) / 100})
			r := profile.Suggestion{Column: name, Role: table.Quasi, Why: []profile.Clause{{
				Says:    message.Say("suggested.named").Name("word", "word"+fmt.Sprint(k)).Part("says", known),
				General: known}}}
			if k%3 == 0 {
				r.Role, r.Why = 0, []profile.Clause{{Says: measured, General: measured},
					{Says: message.Say("suggested.categories").Count("n", k)}}
			}
			if k%20 == 19 {
				r.Role, r.Why = table.Confidential, ofItsOwn(k)
			}
			if r.Role == table.Quasi {
				e.QuasiIdentifiers = append(e.QuasiIdentifiers, name)
			}
			roles = append(roles, r)
		}
		p.Columns[0].Order = profile.Sorted
		e.Worst = []profile.Combination{
			{Columns: e.QuasiIdentifiers[:1], Uniques: 10},
			{Columns: e.QuasiIdentifiers[:2], Uniques: 50},
			{Columns: e.QuasiIdentifiers[:3], Uniques: 90},
		}
		for _, width := range []int{40, 80} {
			var b strings.Builder
			must.NoError(t, ProfileText(&b, rename("patients.csv"), p, roles, e, Screen{Width: width}))
			text := b.String()
			lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			if len(lines) > (Screen{Width: width}).lines() {
				t.Errorf("%s: %d lines\n%s", kind, len(lines), text)
			}
			for _, l := range lines {
				if cells(l) > width && !strings.HasPrefix(l, "--verbose") {
					t.Errorf("%s: %d cells in %q", kind, cells(l), l)
				}
			}
			if !strings.Contains(text, "\n! These columns follow the row number") {
				t.Errorf("%s: it does not say which columns follow the row number:\n%s", kind, text)
			}
			if strings.ContainsAny(text, "\x1b\x07\r\u202e\u2028") {
				t.Errorf("%s: the text steers the terminal", kind)
			}
			if strings.Count(text, "others often know") > 1 ||
				strings.Index(text, "Before anything is done") > strings.Index(text, "The roles") {
				t.Errorf("%s:\n%s", kind, text)
			}
		}
	}
}

// TestInspectRoles: where there is no room for reasons a role is one group, and none is left out.
func TestInspectRoles(t *testing.T) {
	f := &fitter{Screen: Screen{}, names: shortener(nil)}
	var roles []profile.Suggestion
	for k := range 14 {
		r := profile.Suggestion{
			Column: fmt.Sprint("column ", k),
			Role:   []table.Role{table.Quasi, table.Confidential, 0}[k%3],
			Why:    ofItsOwn(k),
		}
		roles = append(roles, r)
	}
	lines := f.roles(roles, 8)
	text := strings.Join(lines, "\n")
	for k := range roles {
		if !strings.Contains(text, fmt.Sprint("column ", k)) {
			t.Errorf("column %d is left out:\n%s", k, text)
		}
	}
	if len(lines) > 8 || strings.Count(text, "quasi-identifier") != 1 {
		t.Errorf("%d lines:\n%s", len(lines), text)
	}
	roles = []profile.Suggestion{{Column: "sex", Role: table.Quasi | table.Class}, {Column: "age", Role: table.Quasi}}
	text = strings.Join(f.roles(roles, 8), "\n")
	if !strings.Contains(text, "quasi-identifier+class  sex") || !strings.Contains(text, "quasi-identifier        age") {
		t.Errorf("the columns do not stand below each other:\n%s", text)
	}
}
