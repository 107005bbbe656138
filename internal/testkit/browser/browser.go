// Package browser shows a page in Chromium for tests: what it looks like on a desk, a phone and paper, what its script
// does, and what axe-core finds.
package browser

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Path is that of a browser. With -short the test is skipped. Without one on the computer it is skipped, too, and with
// CI=true it fails.
func Path(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser meets what other tests meet without one")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			return p
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("there is no Chromium; apt-get install chromium")
	}
	t.Skip("there is no Chromium: what the page does in a browser is not tested; apt-get install chromium")
	return ""
}

// patience is how long a step may take on a computer that has other work.
const patience = 3 * time.Minute

// Tab shows files, one after another, and fails the test where it cannot.
type Tab struct {
	*testing.T
	ctx context.Context
}

// New opens a tab of a browser without a window, which knows no other computer.
func New(t *testing.T) *Tab {
	t.Helper()
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(Path(t)), chromedp.NoSandbox,
		chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()), chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND"))
	ctx, stop := chromedp.NewExecAllocator(t.Context(), opts...)
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(ctx)
	t.Cleanup(end)
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil { // it lives as long as this context
		t.Fatal(err)
	}
	return &Tab{t, ctx}
}

// Do takes steps.
func (b *Tab) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.Fatal(err)
	}
}

// Show opens a file.
func (b *Tab) Show(path string) {
	b.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		b.Fatal(err)
	}
	b.Do(chromedp.Navigate((&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()))
}

// Eval returns what an expression of the page gives, or what it promises.
func Eval[T any](b *Tab, expression string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatalf("%.300s: %v", expression, err)
	}
	return v
}

// Look is how the page is shown: how large, in which scheme (light or dark), and on which medium (screen or print).
func (b *Tab) Look(width, height int64, scheme, medium string) {
	b.Helper()
	b.Do(chromedp.EmulateViewport(width, height))
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: medium,
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}); err != nil {
		b.Fatal(err)
	}
}

// Wider names what is wider than the window, but for what scrolls by itself; empty for nothing.
func (b *Tab) Wider() string {
	b.Helper()
	return Eval[string](b, `document.documentElement.scrollWidth <= innerWidth ? "" :
		[...document.querySelectorAll("body *")]
		.filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll"))
		.map(e => e.tagName + "." + e.className).slice(0, 5).join(" ") || "the page"`)
}

// Picture is a screenshot, of what the window shows or of the whole page.
func (b *Tab) Picture(whole bool) []byte {
	b.Helper()
	take := chromedp.CaptureScreenshot()
	if whole {
		take = chromedp.FullScreenshot(100)
	}
	data, err := chromedp.Run(b.ctx, take)
	if err != nil {
		b.Fatal(err)
	}
	return data
}

// axeSum is the SHA-256 of axe.min.js in the package axe-core 4.14.1 of npm, as its makers (Deque Systems) published
// it.
const axeSum = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"

// Axe returns what axe-core, packed in a file, finds on the page by all rules that are on by themselves (WCAG 2.0 to
// 2.2, A and AA, and good practice); empty for nothing.
func (b *Tab) Axe(packed string) string {
	b.Helper()
	data, err := os.ReadFile(packed)
	if err != nil {
		b.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		b.Fatal(err)
	}
	rules, err := io.ReadAll(r)
	if sum := sha256.Sum256(rules); err != nil || hex.EncodeToString(sum[:]) != axeSum {
		b.Fatalf("axe.min.js is not the file that was published: %v", err)
	}
	Eval[bool](b, "(() => { if (!window.axe) {"+string(rules)+"}; return true })()")
	return Eval[string](b, `axe.run().then(r => [...r.violations.map(v => v.id + ": " +
		v.nodes.map(n => n.target.join(" ")).slice(0, 3).join(", ")),
		...(r.passes.length < 10 ? ["few rules were looked at"] : [])].join("\n"))`)
}
