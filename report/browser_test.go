package report

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/dither-data/dither/internal/testkit/browser"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/study"
)

var axeCore = filepath.Join("..", "workbench", "testdata", "axe-core", "axe.min.js.gz")

// TestPagesInABrowser shows reports on a desk in light, on a phone in dark, and on paper: nothing is wider than the
// window, and axe-core finds nothing. DITHER_PICTURES names a folder for pictures at four widths.
func TestPagesInABrowser(t *testing.T) {
	long.Only(t, "pages in a browser")
	b := browser.New(t)
	page := func(o *study.Outcome, opt Options) func(io.Writer) error {
		return func(w io.Writer) error { return HTML(w, o, opt) }
	}
	pages := map[string]func(io.Writer) error{
		"internal": page(sample(t, 200, 6, 3, same), Options{}),
		"public":   page(sample(t, 200, 6, 3, same), Options{Public: true}),
		"wide":     page(sample(t, 60, 90, 10, same), Options{}),
		"comparison": func(w io.Writer) error {
			return CompareHTML(w, compared(paperTrials, 1, 10, 1), CompareOptions{})
		},
	}
	for name, write := range pages {
		path := saved(t, write)
		b.Look(1440, 900, "light", "screen")
		b.Show(path)
		for _, look := range []struct {
			width          int64
			scheme, medium string
		}{{1440, "light", "screen"}, {390, "dark", "screen"}, {720, "light", "print"}} {
			b.Look(look.width, 900, look.scheme, look.medium)
			if wide := b.Wider(); wide != "" {
				t.Errorf("%s is wider than %d, %s, by %s", name, look.width, look.medium, wide)
			}
			if found := b.Axe(axeCore); look.medium == "screen" && found != "" {
				t.Errorf("%s on %d, %s: %s", name, look.width, look.scheme, found)
			}
			shown := browser.Eval[int](b, `[...document.querySelectorAll(".tools")].filter(e => e.offsetParent).length`)
			if (shown > 0) != (look.medium == "screen") {
				t.Errorf("%s, %s: %d tools are shown", name, look.medium, shown)
			}
		}
		pictures(t, b, name)
	}
}

// saved is the path of a page.
func saved(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "page.html"))
	if err == nil {
		err = cmp.Or(write(f), f.Close())
	}
	must.NoError(t, err)
	return f.Name()
}

// pictures keeps screenshots in the folder that DITHER_PICTURES names.
func pictures(t *testing.T, b *browser.Tab, name string) {
	dir := os.Getenv("DITHER_PICTURES")
	if dir == "" {
		return
	}
	for width, called := range map[int64]string{390: "390", 820: "820", 1440: "1440", 2560: "2560"} {
		b.Look(width, 900, "light", "screen")
		must.NoError(t, os.WriteFile(filepath.Join(dir, name+"-"+called+".png"), b.Picture(true), 0o600))
	}
}

// TestTools sorts a long table by the mouse and by the keyboard, searches it, and copies what is shown as CSV.
func TestTools(t *testing.T) {
	long.Only(t, "a page in a browser")
	b := browser.New(t)
	evil := func(s string) string {
		if s == "number 20" {
			return `=cmd("x"), 3`
		}
		return s
	}
	b.Look(1440, 900, "light", "screen")
	b.Show(saved(t, func(w io.Writer) error { return HTML(w, sample(t, 60, 30, 4, evil), Options{}) }))
	browser.Eval[bool](b, `(() => {
		document.querySelectorAll("details").forEach(d => d.open = true);
		window.one = [...document.querySelectorAll("table.sortable")].find(t => t.tBodies[0].rows.length >= 15);
		window.of = k => [...one.tBodies[0].rows].filter(r => !r.hidden).map(r => r.cells[k].textContent);
		navigator.clipboard.writeText = async s => { window.csv = s };
		return true })()`)
	names := func() []string { return browser.Eval[[]string](b, `of(0)`) }
	before := names()
	click := func(selector string) {
		t.Helper()
		at := browser.Eval[[]float64](b, `(() => { const e = `+selector+`; e.scrollIntoView({block: "center"});
			const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()`)
		b.Do(chromedp.MouseClickXY(at[0], at[1]))
	}
	click(`one.tHead.rows[0].cells[0].querySelector("button")`)
	up := names()
	if got := up; got[0] != `=cmd("x"), 3` || got[1] != "category 0" || got[len(got)-1] != "number 29" ||
		slices.Equal(got, before) ||
		browser.Eval[string](b, `one.tHead.rows[0].cells[0].getAttribute("aria-sort")`) != "ascending" ||
		slices.Index(got, "number 9") > slices.Index(got, "number 10") {
		t.Errorf("sorted by name: %q", got)
	}
	b.Do(chromedp.KeyEvent(kb.Enter)) // the button has the focus
	slices.Reverse(up)
	if got := names(); !slices.Equal(got, up) {
		t.Errorf("sorted by name, downwards: %q", got)
	}
	b.Do(chromedp.KeyEvent(" "))
	if got := names(); !slices.Equal(got, before) {
		t.Errorf("as it was: %q, want %q", got, before)
	}
	click(`one.closest(".scroll").previousElementSibling.querySelector("input")`)
	b.Do(chromedp.KeyEvent("NUMBER 1"))
	for _, n := range names() {
		if !strings.HasPrefix(n, "number 1") {
			t.Errorf("%q is shown among those with NUMBER 1", n)
		}
	}
	b.Do(chromedp.KeyEvent(strings.Repeat(kb.Backspace, 8) + "cmd"))
	click(`one.closest(".scroll").nextElementSibling.querySelector("button")`)
	csv := browser.Eval[string](b, `csv`)
	if lines := strings.Split(csv, "\r\n"); len(lines) != 3 || !strings.HasPrefix(lines[0], "Column,Kind,Role,Changed") ||
		!strings.HasPrefix(lines[1], `"'=cmd(""x""), 3",numeric,`) {
		t.Errorf("copied %q", csv)
	}
}
