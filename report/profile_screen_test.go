package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/table"
)

// TestInspectScreen: whatever the names, a table of 60 columns fits a screen, who can be picked out comes first, and a reason is given once for a group.
func TestInspectScreen(t *testing.T) {
	for kind, rename := range awkward {
		p := &profile.Profile{Rows: 1000}
		var roles []profile.Suggestion
		e := &profile.Exposure{Rows: 1000, Uniques: 400, UniqueShare: 0.4, BelowFive: 700}
		for k := range 60 {
			name := rename(fmt.Sprint("column ", k))
			p.Columns = append(p.Columns, profile.Column{Name: name, Uniqueness: float64(k) / 100})
			r := profile.Suggestion{Column: name, Role: table.Quasi, Reason: message.Text(fmt.Sprintf("%q: others often know this about a person", "word"+fmt.Sprint(k)))}
			if k%3 == 0 {
				r.Role, r.Reason = 0, message.Text(fmt.Sprintf("a measurement; %d of them", k))
			}
			if k%20 == 19 {
				r.Role, r.Reason = table.Confidential, message.Text(fmt.Sprintf("a reason of its own, %c", 'a'+k))
			}
			if r.Role == table.Quasi {
				e.QuasiIdentifiers = append(e.QuasiIdentifiers, name)
			}
			roles = append(roles, r)
		}
		p.Columns[0].Order = profile.Sorted
		e.Worst = []profile.Combination{{Columns: e.QuasiIdentifiers[:1], Uniques: 10}, {Columns: e.QuasiIdentifiers[:2], Uniques: 50}, {Columns: e.QuasiIdentifiers[:3], Uniques: 90}}
		for _, width := range []int{40, 80} {
			var b strings.Builder
			if err := ProfileText(&b, rename("patients.csv"), p, roles, e, Screen{Width: width}); err != nil {
				t.Fatal(err)
			}
			text := b.String()
			lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			if len(lines) > screenLines {
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
			if strings.Count(text, "others often know") > 1 || strings.Index(text, "Before anything is done") > strings.Index(text, "The roles") {
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
		r := profile.Suggestion{Column: fmt.Sprint("column ", k), Role: []table.Role{table.Quasi, table.Confidential, 0}[k%3], Reason: message.Text(fmt.Sprintf("a reason of its own, %c", 'a'+k))}
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
}
