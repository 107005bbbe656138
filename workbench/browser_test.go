package workbench

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// browser opens a tab of a browser without a window. With -short the test is skipped. Without one on the computer it is skipped, too, and with CI=true it fails.
func browser(t *testing.T) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser meets what the other tests of the server meet without one")
	}
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("there is no Chromium; apt-get install chromium")
		}
		t.Skip("there is no Chromium: what the page does in a browser is not tested; apt-get install chromium")
	}
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()))
	ctx, stop := chromedp.NewExecAllocator(t.Context(), opts...)
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(ctx)
	t.Cleanup(end)
	ctx, late := context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(late)
	return ctx
}

// driven drives a page and fails the test where it cannot.
type driven struct {
	*testing.T
	ctx context.Context
}

func (b *driven) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.Fatal(err)
	}
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
	deadline := time.Now().Add(time.Minute)
	for {
		ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("(() => { try { return !!("+expression+") } catch { return false } })()"))
		if err == nil && ok {
			return
		}
		if time.Now().After(deadline) {
			b.Fatalf("%s: %v\n%s", expression, err, eval[string](b, "document.body.innerText"))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// click clicks on what is there at once or soon.
func (b *driven) click(selector string) {
	b.Helper()
	b.do(chromedp.Click(selector))
}

// look is how a page is shown.
func (b *driven) look(width, height int64, scheme string) {
	b.Helper()
	b.do(chromedp.EmulateViewport(width, height))
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}); err != nil {
		b.Fatal(err)
	}
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
	if err != nil {
		b.Fatal(err)
	}
}

// axe holds the page against the rules of accessibility of axe-core, whose file DITHER_AXE names; it is no part of dither.
func (b *driven) axe(name string) {
	b.Helper()
	path := os.Getenv("DITHER_AXE")
	if path == "" {
		return
	}
	rules, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	eval[bool](b, "(() => {"+string(rules)+"; return true})()")
	found, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`axe.run().then(r => r.violations.map(v => v.id + ": " + v.nodes.map(n => n.target.join(" ")).slice(0, 3).join(", ")).join("\n"))`, chromedp.EvalAwaitPromise))
	if err != nil || found != "" {
		b.Errorf("%s: %v\n%s", name, err, found)
	}
}

// views shows the page on a desk and on a phone, in light and dark: nothing is wider than the phone.
func (b *driven) views(name string) {
	b.Helper()
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{1440, 390} {
			b.look(width, 900, scheme)
			if w := eval[int](b, "document.documentElement.scrollWidth"); w > int(width) {
				b.Errorf("%s is %d wide on %d, by %s", name, w, width, eval[string](b, `[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll")).map(e => e.tagName + "." + e.className).slice(0, 5).join(" ")`))
			}
			b.axe(name + " " + scheme)
			b.picture(name + "-" + map[int64]string{1440: "desk", 390: "phone"}[width] + "-" + scheme)
		}
	}
	b.look(1440, 900, "light")
}

// TestBrowser goes through the page as a person does.
func TestBrowser(t *testing.T) {
	ctx := browser(t)
	s := serve(t, people(t))
	if err := s.folder.write(policyName, []byte("version: 1\nclass: ill\nlimits: none # ours\n")); err != nil {
		t.Fatal(err)
	}
	b := &driven{t, ctx}
	var foreign []string
	if err := chromedp.Listen(ctx, func(ev any) {
		if r, ok := ev.(*network.EventRequestWillBeSent); ok && !strings.HasPrefix(r.Request.URL, "http://"+s.guard.host+"/") {
			foreign = append(foreign, r.Request.URL)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate(s.Link()))
	b.until(`document.querySelector("table.columns")`)
	if at := eval[string](b, "location.href"); strings.ContainsAny(at, "#?") || !strings.HasSuffix(at, "/table") {
		t.Errorf("the address is %s", at)
	}
	b.views("table")
	age := s.column(t, "age")
	for range 2 { // there and back
		b.do(chromedp.Click("#" + age + "-known"))
		b.until(`!document.body.classList.contains("busy")`)
		want := s.uniques(t)
		b.until(`document.getElementById("unique").textContent === ` + quote(want))
	}
	if id := eval[string](b, "document.activeElement.id"); id != age+"-known" {
		t.Errorf("the focus went to %q", id)
	}
	b.click("#all")
	b.until(`!document.getElementById("all")`)
	b.click(`a[href="/intruders"]`)
	b.until(`document.getElementById("declare")`)
	b.click("#declare")
	b.until(`document.getElementById("i1-these")`)
	b.views("intruders")
	for range 2 {
		b.click(`button[aria-label^="Drop the intruder"]`)
		b.until(`!document.body.classList.contains("busy")`)
	}
	b.until(`document.getElementById("declare")`)
	b.click(`a[href="/demands"]`)
	b.until(`document.getElementById("preset-none").checked`)
	b.do(chromedp.SendKeys("#bound-value", "0.9"))
	b.click("#demand-add")
	b.until(`document.querySelector(".demand-row")`)
	b.views("demands")
	b.click(`.demand-row button[aria-label^="Drop"]`)
	b.until(`!document.querySelector(".demand-row")`)
	b.click(`a[href="/try"]`)
	b.until(`document.getElementById("method") && document.readyState === "complete"`)
	eval[bool](b, `(() => { // faster than any answer: the last counts
		const m = document.getElementById("method");
		for (const name of ["mdav", "framework", "rpt"]) { m.value = name; m.dispatchEvent(new Event("change", {bubbles: true})) }
		return true
	})()`)
	b.until(`document.querySelector(".yaml").textContent.includes("rpt")`)
	b.click("#run-all")
	b.until(`document.querySelector(".embedded .head") && document.querySelector(".tray .point.here")`)
	b.views("try")
	b.click(`nav a[href="/look"]`)
	b.until(`document.querySelector("#columns")`)
	b.views("look")
	b.do(chromedp.NavigateBack())
	b.until(`document.querySelector(".tray .point.here")`)
	b.click(`nav a[href="/sign"]`)
	b.until(`document.querySelector(".signing")`)
	b.views("sign")
	// The rest by keyboard alone: every box, the name, the reason, the button.
	eval[bool](b, `document.querySelector(".signing input[type=checkbox]").focus() || true`)
	for range eval[int](b, `document.querySelectorAll(".boxes input").length`) {
		b.do(chromedp.KeyEvent(" "), chromedp.KeyEvent(kb.Tab))
	}
	b.do(chromedp.KeyEvent("Dr. A"), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent("a study"), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector(".signed")`)
	b.views("signed")
	if len(foreign) > 0 {
		t.Errorf("requests left the server: %q", foreign)
	}
}

// TestBrowserWithoutScript: every form works where scripts are off.
func TestBrowserWithoutScript(t *testing.T) {
	ctx := browser(t)
	s := serve(t, people(t))
	b := &driven{t, ctx}
	if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate(s.Link()), chromedp.SendKeys("#token", s.guard.token), chromedp.Click("#enter button"), chromedp.WaitVisible("table.columns"))
	town := s.column(t, "town")
	before := s.uniques(t)
	b.do(chromedp.Click("#"+town+"-known"), chromedp.Click("#"+town+"-known + button"))
	deadline := time.Now().Add(30 * time.Second)
	for s.uniques(t) == before && time.Now().Before(deadline) {
		time.Sleep(50 * time.Millisecond)
	}
	if s.uniques(t) == before {
		t.Error("without a script nothing is set")
	}
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
