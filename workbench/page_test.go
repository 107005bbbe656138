package workbench

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// TestBrowser goes through the page by mouse, as a person does. Counts and figures are those of the command, and so are
// the bytes of the release. TestKeyboard and TestBrowserWithoutScript go through it on fewer steps.
func TestBrowser(t *testing.T) {
	long.Only(t, "all of the page by mouse in a browser")
	s := serve(t, people(t))
	must.NoError(t, s.folder.write(policyName, []byte("version: 1\nclass: ill\nlimits: none # ours\n")))
	b := drive(t, s)
	b.do(chromedp.Navigate(s.Link()))
	b.until(`document.getElementById("open")`)
	if at := eval[string](b, "location.href"); strings.ContainsAny(at, "#?") || !strings.HasSuffix(at, "/data") {
		t.Errorf("the address is %s", at)
	}
	b.views("data")
	b.click("#next")
	b.until(`document.querySelector("table.columns")`)
	b.views("table")
	b.rolesAndCounts(s)
	b.intrudersAndDemands()
	b.trials(s)
	b.click(`nav a[href="/look"]`)
	b.until(`document.querySelector("#columns")`)
	b.views("look")
	b.back()
	b.until(`document.querySelector(".tray .point.here")`)
	b.leads(`nav a[href="/sign"]`, `document.querySelector(".signing")`)
	b.views("sign")
	eval[bool](b, `document.querySelectorAll(".boxes input").forEach(e => e.click()) || true`)
	b.enter("#signer", "Dr. A")
	b.enter("#reason", "a study")
	b.click("#sign")
	b.until(`document.querySelector(".signed")`)
	b.views("signed")
	release, err := os.ReadFile(s.paths("1")[0])
	if err != nil || !bytes.Equal(release, s.evaluated(t).release) {
		t.Errorf("the release is not that of dither protect (%v)", err)
	}
}

// rolesAndCounts changes roles: the count moves at once, is that of dither inspect --json, and stays over a reload and
// on the way back.
func (b *driven) rolesAndCounts(s *Server) {
	age, town := s.column(b.T, "age"), s.column(b.T, "town")
	shows := func() {
		b.Helper()
		b.until(`!document.body.classList.contains("busy")`)
		if got, want := eval[string](b, `document.getElementById("unique").textContent`), s.counted(b.T); got != want {
			b.Errorf("%s are alone, and %s by dither inspect\n%s", got, want, s.policyText(b.T))
		}
	}
	for range 2 { // there and back
		b.click("#" + age + "-known")
		b.until(`!document.body.classList.contains("busy")`)
	}
	if id := eval[string](b, "document.activeElement.id"); id != age+"-known" {
		b.Errorf("the focus went to %q", id)
	}
	shows()
	before := eval[string](b, `document.getElementById("unique").textContent`)
	b.choose(town+"-role", "other")
	b.until(`document.querySelector(".yaml").textContent.includes("town: {role: other}")`)
	shows()
	if eval[string](b, `document.getElementById("unique").textContent`) == before {
		b.Error("the count does not move")
	}
	b.reload(`document.getElementById("` + town + `-role").value === "other"`)
	shows()
	b.click(`nav a[href="/try"]`)
	b.until(`document.getElementById("method")`)
	// as by hand, meanwhile
	must.NoError(b, s.edit(b.Context(), digest(s.policyText(b.T)),
		[]change{{[]string{"columns", "town", "role"}, "quasi-identifier"}}))
	b.back()
	b.until(`document.getElementById("` + town + `-role").value === "quasi-identifier"`)
	shows()
	b.leads("#all", `!document.getElementById("all")`)
}

// choose takes an option, as a click into the list does.
func (b *driven) choose(id, value string) {
	b.Helper()
	b.heard()
	eval[bool](
		b,
		fmt.Sprintf(
			`(() => { const e = document.getElementById(%s); e.value = %s; e.dispatchEvent(new Event("change", {bubbles: true})); return true })()`,
			quote(id),
			quote(value),
		),
	)
}

func (b *driven) intrudersAndDemands() {
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
	b.click(`nav a[href="/purposes"]`)
	b.until(`document.getElementById("for-models")`)
	b.click(`a[href="/demands"]`)
	b.until(`document.getElementById("preset-none").checked`)
	b.enter("#bound-value", "0.9")
	b.click("#demand-add")
	b.until(`document.querySelector(".demand-row")`)
	b.views("demands")
	b.click(`.demand-row button[aria-label^="Drop"]`)
	b.until(`!document.querySelector(".demand-row")`)
}

// trials tries two techniques. What the page shows of the second is what dither evaluate --json says of the release
// that dither protect writes.
func (b *driven) trials(s *Server) {
	b.click(`a[href="/try"]`)
	b.until(`document.getElementById("method") && document.readyState === "complete"`)
	b.views("untried")
	b.choose("method", "rankswap")
	b.until(`document.querySelector(".yaml").textContent.includes("rankswap")`)
	b.click("#run-all")
	b.until(`document.querySelector(".tray .point.here")`)
	eval[bool](b, `window.same = true`)
	for _, name := range []string{"mdav", "framework", "rpt"} { // faster than any answer: the last counts
		b.choose("method", name)
	}
	b.until(`document.querySelector(".yaml").textContent.includes("rpt")`)
	b.click("#run-all")
	b.until(`document.querySelector(".embedded .head") && document.querySelector(".tray .point.here")`)
	if !eval[bool](b, `!!window.same`) {
		b.Error("a form loads the whole page, where the script sends it")
	}
	b.views("try")
	b.reload(`document.querySelector(".embedded .head") && document.querySelector(".tray .point.here")`)
	// with plain blanks
	page := strings.Join(strings.Fields(eval[string](b, `document.querySelector("main").textContent`)), " ")
	e := s.evaluated(b.T)
	for _, m := range e.Measures {
		want := ""
		switch a := m.Detail.Attack; {
		case m.Name == "accuracy":
			want = shareOf(&m.Score).String()
		case m.Name == "found" && m.Intruder == "knows the quasi-identifiers":
			want = (&figure{100 * a.Share, 100 * a.Lo, 100 * a.Hi}).share().String()
		default:
			continue
		}
		if got := eval[string](b, `document.querySelector(".tried tbody tr").textContent`); !strings.Contains(got, want) {
			b.Errorf("%s is %s by dither evaluate, and the page has\n%s", m.Name, want, got)
		}
	}
	if text := e.Verdict.Sentence.Text; text == "" || !strings.Contains(page, text) {
		b.Errorf("%q is not on the page\n%s", text, page)
	}
	b.click(`a[href="/compare"]`)
	b.until(`document.querySelectorAll(".pair").length > 3`)
	b.views("compare")
	b.back()
	b.until(`document.querySelector(".tray .point.here")`)
}

// TestBrowserWithoutScript goes the whole way where scripts are off: every form works by its button.
func TestBrowserWithoutScript(t *testing.T) {
	long.Only(t, "the page in a browser without scripts")
	s := serve(t, people(t))
	must.NoError(t, s.folder.write(policyName, []byte(easy)))
	b := drive(t, s)
	must.Get(chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true}))(t)
	soon := func(what string, is func() bool) {
		t.Helper()
		for deadline := time.Now().Add(patience); !is(); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal(what)
			}
		}
	}
	b.do(chromedp.Navigate(s.Link()), chromedp.SendKeys("#token", s.guard.token), chromedp.Click("#enter button"),
		chromedp.WaitVisible("#open"), chromedp.Click("#next"), chromedp.WaitVisible("table.columns"))
	town := s.column(t, "town")
	b.do(chromedp.Click("#"+town+"-known"), chromedp.Click("#"+town+"-known + button"))
	soon("without a script nothing is set", func() bool {
		return !strings.Contains(s.policyText(t), "town: {role: quasi") && strings.Contains(s.policyText(t), "town: {")
	})
	b.do(chromedp.Click("#nav-try"), chromedp.WaitVisible("#run-all"), chromedp.Click("#run-all"))
	b.do(chromedp.WaitVisible("#outcome .state")) // the page loads itself again while the work goes on
	b.do(chromedp.Click("#nav-sign"), chromedp.WaitVisible("#sign"))
	i, _, err := s.now(t.Context())
	must.NoError(t, err)
	for k := range s.work.result(i.id(0)).NotProtected {
		b.do(chromedp.Click(fmt.Sprintf("#box%d", k)))
	}
	b.do(chromedp.SendKeys("#signer", "Dr. A"), chromedp.SendKeys("#reason", "a study"), chromedp.Click("#sign"))
	soon("without a script nothing is signed", func() bool { return len(s.signed()) == 1 })
	b.do(chromedp.WaitVisible(".signed"))
}

// TestKeyboard goes the whole way by keyboard alone: what only the owner knows, the guesses, whom to withstand, the
// limits, a technique, which is undone and done again, a trial, the boxes, the signature.
func TestKeyboard(t *testing.T) {
	long.Only(t, "the page by keyboard in a browser")
	s := serve(t, messy(t))
	b := drive(t, s)
	b.do(chromedp.Navigate(s.Link()))
	b.until(`document.getElementById("open")`)
	b.answer()
	b.press("next", kb.Enter, `document.querySelector("table.columns")`)
	b.answer()
	b.press("all", kb.Enter, `!document.getElementById("all")`)
	b.press("nav-intruders", kb.Enter, `document.getElementById("declare")`)
	b.press("declare", kb.Enter, `document.getElementById("i0-outsider")`)
	b.press("i0-outsider", " ", `document.querySelector(".yaml").textContent.includes("outsider: true")`)
	b.press("back", kb.Enter, `document.querySelector("table.columns")`)
	b.press("next", kb.Enter, `document.getElementById("for-models")`)
	b.press("nav-demands", kb.Enter, `document.getElementById("preset-default")`)
	b.to("preset-default")
	for _, name := range []string{"ema", "hipaa", "survey", "none"} {
		b.do(chromedp.KeyEvent(kb.ArrowDown))
		b.until(
			`!document.body.classList.contains("busy") && document.querySelector(".yaml").textContent.includes("limits: ` + name + `")`,
		)
	}
	b.press("nav-try", kb.Enter, `document.getElementById("method")`)
	b.press("method", "R", `document.querySelector(".yaml").textContent.includes("name: round")`)
	b.press("undo", kb.Enter, `!document.querySelector(".yaml").textContent.includes("name: round")`)
	b.press("redo", kb.Enter, `document.querySelector(".yaml").textContent.includes("name: round")`)
	b.press("run-all", kb.Enter, `document.querySelector(".tray .point.here") && !document.getElementById("cancel")`)
	b.sign()
	if done := s.signed(); len(done) != 1 || len(done[0].Out) != 3 || len(done[0].Kept) != 4 {
		t.Errorf("signed are %+v", done)
	}
}

// answer says yes to all that only the owner of a table knows.
func (b *driven) answer() {
	b.Helper()
	for eval[bool](b, `!!document.querySelector(".questions button")`) {
		id := eval[string](b, `document.querySelector(".questions button").id`)
		b.press(id, kb.Enter, `!document.getElementById("`+id+`")`)
	}
}

// sign ticks every box, says who and why, and makes the release.
func (b *driven) sign() {
	b.Helper()
	b.press("nav-sign", kb.Enter, `document.querySelector(".signing")`)
	for range eval[int](b, `document.querySelectorAll(".boxes input").length`) {
		b.to(eval[string](b, `document.querySelector(".boxes input:not(:checked)").id`))
		b.do(chromedp.KeyEvent(" "))
	}
	b.to("signer")
	b.do(chromedp.KeyEvent("Dr. A"))
	b.to("reason")
	b.do(chromedp.KeyEvent("for the study of readmissions"))
	b.press("sign", kb.Enter, `document.querySelector(".signed")`)
}
