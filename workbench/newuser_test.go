package workbench

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// TestNewUser goes from a messy export that nobody has seen before to a signed release, by keyboard alone, in the order
// in which the page asks: what only the owner knows, the guesses, a trial, a search for what keeps the limits, the
// boxes, the signature.
func TestNewUser(t *testing.T) {
	long.Only(t, "a search among all techniques")
	in := filepath.Join(t.TempDir(), "export.csv")
	must.Get((&desk.Desk{}).Generate(t.Context(),
		desk.GenerateRequest{Name: "hospital-export", Rows: desk.OwnRows, Output: in, SeedFile: in + ".seed"}))(t)
	start := time.Now()
	s := serve(t, in)
	b := drive(t, s)
	b.do(chromedp.Navigate(s.Link()))
	b.until(`document.getElementById("open")`)
	b.answer()
	b.press("next", kb.Enter, `document.querySelector("table.columns")`)
	b.picture("new-1-table")
	b.answer()
	t.Logf("%v: what only the owner knows is answered\n%s", time.Since(start), s.policyText(t))
	b.press("all", kb.Enter, `!document.getElementById("all")`)
	b.picture("new-2-table")
	b.press("next", kb.Enter, `document.getElementById("for-models")`)
	b.press("next", kb.Enter, `document.getElementById("run-all")`)
	b.press("run-all", kb.Enter, `document.querySelector("#outcome .state") && !document.getElementById("cancel")`)
	t.Logf("%v: tried on all: %s", time.Since(start), eval[string](b, `document.getElementById("outcome").innerText`))
	b.picture("new-3-try")
	if eval[bool](b, `!!document.querySelector("#outcome .withheld")`) {
		b.to("minutes")
		b.press("choose", kb.Enter, `document.getElementById("cancel")`)
		for deadline := time.Now().Add(8 * time.Minute); s.work.running() && time.Now().Before(deadline); {
			time.Sleep(200 * time.Millisecond)
		}
		b.until(`!document.getElementById("cancel")`)
		b.picture("new-4-chosen")
		t.Logf("%v: chosen\n%s\n%s", time.Since(start), s.policyText(t),
			eval[string](b, `(document.querySelector("#outcome .state") || document.querySelector(".message")).innerText`))
	}
	b.sign()
	b.picture("new-5-signed")
	t.Logf("%v: signed", time.Since(start))
	if len(s.signed()) != 1 {
		t.Errorf("%v", s.signed())
	}
}
