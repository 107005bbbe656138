package workbench

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/dither-data/dither/internal/testkit/must"
)

// chromium is the path of a browser. With -short the test is skipped. Without one on the computer it is skipped, too,
// and with CI=true it fails.
func chromium(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser meets what the other tests of the server meet without one")
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

// driven drives a page and fails the test where it cannot.
type driven struct {
	*testing.T
	ctx context.Context
}

// drive opens a tab of a browser without a window, which knows no other computer. The test fails where a page asks for
// anything of another server than this one.
func drive(t *testing.T, s *Server) *driven {
	t.Helper()
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(chromium(t)),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"))
	ctx, stop := chromedp.NewExecAllocator(t.Context(), opts...)
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(ctx)
	t.Cleanup(end)
	ctx, late := context.WithTimeout(ctx, 20*time.Minute)
	t.Cleanup(late)
	var mu sync.Mutex
	asked := 0
	must.NoError(t, chromedp.Listen(ctx, func(ev any) {
		r, ok := ev.(*network.EventRequestWillBeSent)
		if !ok {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if asked++; !strings.HasPrefix(r.Request.URL, "http://"+s.guard.host+"/") {
			t.Errorf("a request for %s", r.Request.URL)
		}
	}))
	must.Get(chromedp.Call(ctx, network.Enable, network.EnableParams{}))(t)
	t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		if asked < 3 {
			t.Errorf("only %d requests were seen", asked)
		}
	})
	return &driven{t, ctx}
}

func (b *driven) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	must.NoError(b, chromedp.Do(ctx, steps...))
}

// reload loads the page again, and waits until it shows what it must.
func (b *driven) reload(until string) {
	b.Helper()
	eval[bool](b, `(() => { window.old = true; setTimeout(() => location.reload()); return true })()`)
	b.until(`!window.old && document.readyState === "complete" && (` + until + `)`)
}

// eval returns what an expression of the page gives.
func eval[T any](b *driven, expression string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return v
}

// until waits until an expression of the page is true. While a page gives way to another there is none to ask.
func (b *driven) until(expression string) {
	b.Helper()
	deadline := time.Now().Add(patience)
	for {
		ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("(() => { try { return !!("+expression+") } catch { return "+
			"false } })()"))
		if err == nil && ok {
			return
		}
		if time.Now().After(deadline) {
			b.Fatalf("%s: %v\n%s", expression, err, eval[string](b, "document.body.innerText"))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// heard waits until the page hears what happens on it: a control is there before the script is, which begins with this
// class and listens when it has run.
func (b *driven) heard() {
	b.Helper()
	b.until(`document.documentElement.classList.contains("js")`)
}

// back goes back, maybe to a page that the browser kept as it was, which loads nothing: what to wait for is another
// until.
func (b *driven) back() {
	b.Helper()
	eval[bool](b, `(() => { setTimeout(() => history.back()); return true })()`)
}

// click clicks into the middle of what is there at once or soon. It asks the page where that is: of a page that the
// browser kept and shows again chromedp does not know what is on it.
func (b *driven) click(selector string) {
	b.Helper()
	b.until("document.querySelector(" + quote(selector) + ")")
	at := eval[[]float64](b, "(() => { const e = document.querySelector("+quote(selector)+"); e.scrollIntoView({block: "+
		"'center'}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()")
	b.do(chromedp.MouseClickXY(at[0], at[1]))
}

// leads clicks until the page has what comes of it: one that the browser kept is drawn anew as it is shown again, and a
// click meanwhile is lost.
func (b *driven) leads(selector, expression string) {
	b.Helper()
	clicked := time.Time{}
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("!!("+expression+")")); err == nil && ok {
			return
		}
		if time.Since(clicked) > 5*time.Second {
			b.click(selector)
			clicked = time.Now()
		}
	}
	b.Fatalf("%s leads nowhere: %s", selector, eval[string](b, "document.body.innerText"))
}

// enter types a text into a field.
func (b *driven) enter(selector, text string) {
	b.Helper()
	b.click(selector)
	b.do(chromedp.KeyEvent(text))
}

// to presses Tab until the element of an id has the focus.
func (b *driven) to(id string) {
	b.Helper()
	for range 600 {
		if eval[string](b, "document.activeElement.id") == id {
			return
		}
		b.do(chromedp.KeyEvent(kb.Tab))
	}
	b.Fatalf("the keyboard does not reach %s on\n%s", id, eval[string](b, "document.body.innerText"))
}

// press presses a key on the element of an id, and waits until the page has what comes of it.
func (b *driven) press(id, key, until string) {
	b.Helper()
	b.heard()
	b.to(id)
	b.do(chromedp.KeyEvent(key))
	b.until(`!document.body.classList.contains("busy") && (` + until + `)`)
}

// look is how a page is shown.
func (b *driven) look(width, height int64, scheme string) {
	b.Helper()
	b.do(chromedp.EmulateViewport(width, height))
	must.Get(chromedp.Call(b.ctx, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme",
			Value: scheme}}}))(b)
}

// picture keeps a screenshot in the folder that DITHER_PICTURES names.
func (b *driven) picture(name string) {
	b.Helper()
	dir := os.Getenv("DITHER_PICTURES")
	if dir == "" {
		return
	}
	data, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), data, 0o600)
	}
	must.NoError(b, err)
}

// axeSum is the SHA-256 of axe.min.js in the package axe-core 4.14.1 of npm, as its makers (Deque Systems) published
// it.
const axeSum = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"

// axeCore is the text of axe-core, the rules of accessibility that pages are held against. It is no part of dither.
var axeCore = sync.OnceValues(func() (string, error) {
	packed, err := os.ReadFile(filepath.Join("testdata", "axe-core", "axe.min.js.gz"))
	if err != nil {
		return "", err
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(r)
	if sum := sha256.Sum256(text); err == nil && hex.EncodeToString(sum[:]) != axeSum {
		err = errors.New("axe.min.js is not the file that was published")
	}
	return string(text), err
})

// axe holds the page against the rules of axe-core, all that are on by themselves: WCAG 2.0 to 2.2, A and AA, and good
// practice.
func (b *driven) axe(name string) {
	b.Helper()
	rules := must.Get(axeCore())(b)
	eval[bool](b, "(() => { if (!window.axe) {"+rules+"}; return true })()")
	found, err := chromedp.Run(
		b.ctx,
		chromedp.Evaluate[string](
			`axe.run().then(r => [...r.violations.map(v => v.id + ": " + v.nodes.map(n => n.target.join(" ")).slice(0, 3).join(", ")), ...(r.passes.length < 10 ? ["few rules were looked at"] : [])].join("\n"))`,
			chromedp.EvalAwaitPromise,
		),
	)
	if err != nil || found != "" {
		b.Errorf("%s: %v\n%s", name, err, found)
	}
}

// views shows the page on a desk in light and on a phone in dark, for the colours do not depend on the width: nothing
// is wider than the phone, and axe-core finds nothing.
func (b *driven) views(name string) {
	b.Helper()
	pictures := os.Getenv("DITHER_PICTURES") != ""
	for _, scheme := range []string{"light", "dark"} {
		for width, on := range map[int64]string{1440: "desk", 390: "phone"} {
			if tested := (scheme == "light") == (on == "desk"); !tested && !pictures {
				continue
			}
			b.look(width, 900, scheme)
			if w := eval[int](b, "document.documentElement.scrollWidth"); w > int(width) {
				b.Errorf(
					"%s is %d wide on %d, by %s",
					name,
					w,
					width,
					eval[string](
						b,
						`[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll")).map(e => e.tagName + "." + e.className).slice(0, 5).join(" ")`,
					),
				)
			}
			b.axe(name + " " + scheme)
			b.picture(name + "-" + on + "-" + scheme)
		}
	}
	b.look(1440, 900, "light")
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
