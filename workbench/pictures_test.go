package workbench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/testkit/must"
)

// mostPicture is how large a picture of the pages may be, in bytes.
const mostPicture = 300_000

// TestPictures makes the pictures of the workbench in docs anew, of an invented table and with seeds that never change.
func TestPictures(t *testing.T) {
	docs := t.TempDir()
	switch {
	case os.Getenv("DITHER_DOCS") != "":
		var err error
		if docs, err = filepath.Abs(filepath.Join("..", "docs")); err != nil {
			t.Fatal(err)
		}
	case os.Getenv("CI") != "true": // where it is shown that they can still be made
		t.Skip("writes docs/workbench*.png; DITHER_DOCS=1 runs it")
	}
	t.Chdir(t.TempDir()) // the page names the folder as it was given
	seed := []byte(strings.Repeat("70696374757265730", 4)[:64] + "\n")
	must.NoError(t, os.WriteFile("made.seed", seed, 0o600))
	must.Get((&desk.Desk{}).Generate(t.Context(),
		desk.GenerateRequest{Name: "patients", Rows: 3000, Output: "patients.csv", SeedFile: "made.seed"}))(t)
	s := serveIn(t, "patients.csv", "patients-workbench")
	_ = s.folder.write(seedName, seed)
	_ = s.folder.write(policyName, []byte("version: 1\ncolumns:\n  age: {role: quasi-identifier, domain: [0, 110]} # of "+
		"the register\n"))
	b := drive(t, s)
	b.look(1440, 900, "light")
	shoot := func(name, at string) {
		t.Helper()
		eval[bool](b, `(() => { document.activeElement.blur(); `+at+`.scrollIntoView(); return true })()`)
		data, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
		if err != nil || len(data) > mostPicture {
			t.Fatalf("%s has %d bytes (%v)", name, len(data), err)
		}
		must.NoError(t, os.WriteFile(filepath.Join(docs, name), data, 0o644))
	}
	b.do(chromedp.Navigate(s.Link()))
	b.until(`document.getElementById("open")`)
	b.answer()
	b.press("next", kb.Enter, `document.querySelector("table.columns")`)
	shoot("workbench.png", "document.body")
	b.answer()
	b.press("all", kb.Enter, `!document.getElementById("all")`)
	b.press("next", kb.Enter, `document.getElementById("for-models")`)
	b.press("next", kb.Enter, `document.getElementById("run-all")`)
	for _, name := range []string{"rankswap", "mdav", "framework", "extframework"} {
		b.choose("method", name)
		b.until(
			`!document.body.classList.contains("busy") && document.querySelector(".yaml").textContent.includes("` + name + `")`,
		)
		b.press("run-all", kb.Enter, `document.querySelector(".tray .point.here") && !document.getElementById("cancel")`)
	}
	shoot("workbench-try.png", `[...document.querySelectorAll("h2")].find(e => e.textContent === "What was tried")`)
}
