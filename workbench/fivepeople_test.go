package workbench

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/testkit/chance"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// person is somebody who keeps data, with their file and what they do on the steps besides going on.
type person struct {
	name, language string
	file           func(t *testing.T) string
	roles          []string        // column and role in turn, that the guess has otherwise
	class, purpose string          // the column to predict, and what must not be lost
	choice         func(a *acting) // until the policy gives what may go out
	clicks         int             // all that they click, choose and type in: what it took when this was written
}

// fivePeople are those for whom the path is.
var fivePeople = []person{
	{"a hospital's data manager with a messy export", "de", generated("hospital-export"), nil, "Wiederaufnahme",
		"everything", (*acting).usual, 17},
	{"a statistician with a household survey", "fr", household, []string{"household", "household", "person", "person"},
		"employed", "statistics", (*acting).usual, 18},
	{"a user of ARX, who first wants k-anonymity", "en", generated("patients"), nil, "readmitted",
		"everything", (*acting).fromARX, 21},
	{"a data scientist, who compares two", "en", generated("creditrisk"), nil, "Credit Risk", "models",
		(*acting).compared, 21},
	{"a Go developer, who takes what is there", "en", generated("patients"), nil, "readmitted", "everything",
		(*acting).usual, 16},
}

// TestFivePeople acts as each of five people in a browser, from their file to a signed release that is byte for byte
// that of the command under the policy and the seed; on each step nothing is wider than the window, of a phone or of a
// large screen, all that can be used has a name for who does not see it, and axe-core finds nothing.
func TestFivePeople(t *testing.T) {
	long.Only(t, "five people in a browser")
	for n, p := range fivePeople {
		t.Run(p.language+fmt.Sprint(n), func(t *testing.T) { p.acts(t, fmt.Sprint("five-", n+1, "-")) })
	}
}

// acting is somebody at the page, who counts what they do.
type acting struct {
	*driven
	s        *Server
	class    string // the column that is to be predicted
	pictures string // how the names of pictures begin
	clicks   int
}

func (p *person) acts(t *testing.T, pictures string) {
	s := serve(t, p.file(t))
	a := &acting{driven: drive(t, s), s: s, class: p.class, pictures: pictures}
	a.do(chromedp.Navigate(s.Link()))
	a.until(`document.getElementById("open")`)
	a.heard()
	if p.language != "en" {
		a.acts("language-"+p.language, `document.documentElement.lang === "`+p.language+`"`)
		a.heard()
	}
	a.step("data")
	a.answers()
	a.next("table")
	a.answers()
	if eval[bool](a.driven, `!!document.getElementById("all")`) {
		a.acts("all", `!document.getElementById("all")`)
	}
	for k := 0; k < len(p.roles); k += 2 {
		a.clicks++
		id := s.column(t, p.roles[k]) + "-role"
		a.choose(id, p.roles[k+1])
		a.until(`!document.body.classList.contains("busy") && document.querySelector(".yaml").textContent.includes("` +
			p.roles[k] + `: {role: ` + p.roles[k+1] + `}")`)
	}
	if !strings.Contains(s.policyText(t), "\nclass: "+p.class+"\n") {
		t.Errorf("another column is the class:\n%s", s.policyText(t))
	}
	a.step("table")
	a.next("purposes")
	if p.purpose != "everything" {
		a.acts("for-"+p.purpose, `document.getElementById("for-`+p.purpose+`").checked`)
	}
	a.step("purposes")
	a.next("try")
	p.choice(a)
	a.step("try")
	a.next("look")
	a.step("look")
	a.next("sign")
	a.step("sign")
	for k := range eval[int](a.driven, `document.querySelectorAll(".boxes input").length`) {
		a.acts(fmt.Sprint("box", k), fmt.Sprintf(`document.getElementById("box%d").checked`, k))
	}
	a.types("signer", "Dr. A")
	a.types("reason", "for a study")
	a.acts("sign", `document.querySelector(".signed")`)
	a.step("signed")
	if heard := eval[string](a.driven, `document.getElementById("status").textContent`); heard !=
		eval[string](a.driven, `document.getElementById("signed").textContent`) {
		t.Errorf("who does not see the page hears %q", heard)
	}
	if len(s.signed()) != 1 {
		t.Fatalf("signed are %+v", s.signed())
	}
	again := filepath.Join(t.TempDir(), "again.csv")
	paths := s.paths("1")
	must.Get((&desk.Desk{}).Protect(t.Context(), desk.ProtectRequest{Source: desk.Source{Path: s.folder.table,
		Policy: paths[6]}, SeedFile: s.folder.path(seedName), Release: again}))(t)
	one, _ := os.ReadFile(paths[0])
	if two, err := os.ReadFile(again); err != nil || !bytes.Equal(one, two) {
		t.Errorf("the release is not that of the command (%v)", err)
	}
	t.Logf("%s: %d clicks\n%s", p.name, a.clicks, s.policyText(t))
	if a.clicks > p.clicks {
		t.Errorf("%s: %d clicks, expected at most %d", p.name, a.clicks, p.clicks)
	}
}

// acts clicks what has an id, and waits for what comes of it.
func (a *acting) acts(id, until string) {
	a.Helper()
	a.clicks++
	a.click("#" + id)
	a.until(`!document.body.classList.contains("busy") && (` + until + `)`)
}

func (a *acting) types(id, text string) {
	a.Helper()
	a.clicks++
	a.enter("#"+id, text)
}

// next goes on to a step.
func (a *acting) next(name string) {
	a.Helper()
	a.acts("next", `location.pathname === "/`+name+`" && document.readyState === "complete"`)
	a.heard()
}

// answers says what the owner of a table knows: what means missing, that texts written alike are one, the class. What
// is taken for a person, and for no value, is so.
func (a *acting) answers() {
	a.Helper()
	const next = `[...document.querySelectorAll(".questions form")].filter(f => f.querySelector("select") || ` +
		`["missing-too", "merge"].includes(f.elements.what.value)).map(f => f.querySelector("button").id)[0] || ""`
	for id := eval[string](a.driven, next); id != ""; id = eval[string](a.driven, next) {
		if id == "q-class" && eval[string](a.driven, `document.getElementById("q-class-of").value`) != a.class {
			a.clicks++
			a.choose("q-class-of", a.class)
		}
		a.acts(id, `!document.getElementById("`+id+`")`)
	}
}

// tries makes a release of the policy as it stands, and says whether it may go out.
func (a *acting) tries() bool {
	a.Helper()
	a.acts("run-all", `document.querySelector("#outcome .state") && !document.getElementById("cancel")`)
	return !eval[bool](a.driven, `!!document.querySelector("#outcome .withheld")`)
}

func (a *acting) usual() {
	if !a.tries() {
		a.Fatalf("what is usual is withheld: %s", eval[string](a.driven, `document.getElementById("outcome").innerText`))
	}
}

// takes takes a technique out of the list.
func (a *acting) takes(name string) {
	a.Helper()
	a.clicks++
	a.choose("method", name)
	a.until(`!document.body.classList.contains("busy") && document.querySelector(".yaml").textContent.includes("` + name +
		`")`)
}

// fromARX takes k-anonymity, which goes out with care only, for the insider finds everybody; reads that under Verdict,
// goes back, undoes it, and takes what is usual.
func (a *acting) fromARX() {
	a.takes("kanonymise")
	if !a.tries() || eval[bool](a.driven, `!document.querySelector("#outcome .release-with-care")`) {
		a.Errorf("k-anonymity: %s", eval[string](a.driven, `document.getElementById("outcome").innerText`))
	}
	a.next("look")
	a.acts("back", `location.pathname === "/try"`)
	a.heard()
	a.acts("undo", `document.getElementById("redo") && `+
		`!document.querySelector(".yaml").textContent.includes("kanonymise")`)
	a.usual()
}

// compared tries another technique too, and looks at both.
func (a *acting) compared() {
	a.takes("cartsynthesis")
	a.tries()
	a.takes("segmentsynthesis")
	a.usual()
	a.clicks++
	a.click(`main a[href="/compare"]`)
	a.until(`document.querySelector(".pair")`)
	a.step("compare")
	a.acts("back", `location.pathname === "/try"`)
	a.heard()
}

// widths are those of a phone, a tablet, a desk and a large screen.
var widths = []int64{390, 820, 1440, 2560}

// step looks at a page in all widths, and as somebody who does not see it.
func (a *acting) step(name string) {
	a.Helper()
	for _, width := range widths {
		a.look(width, 900, "light")
		if w := eval[int](a.driven, "document.documentElement.scrollWidth"); w > int(width) {
			a.Errorf("%s is %d wide on %d", name, w, width)
		}
		a.picture(fmt.Sprintf("%s%s-%d", a.pictures, name, width))
	}
	a.look(1440, 900, "light")
	a.named(name)
	a.axe(name)
}

// named asks the browser what it tells a screen reader: all that can be used has a name, there is one heading of the
// first level, and the page has its landmarks.
func (a *acting) named(name string) {
	a.Helper()
	tree := must.Get(chromedp.Call(a.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}))(a)
	count := map[string]int{}
	for _, n := range tree.Nodes {
		if n.Ignored || n.Role == nil {
			continue
		}
		role, says := text(n.Role), text(n.Name)
		count[role]++
		if strings.Contains(" button link checkbox radio combobox textbox spinbutton slider ", " "+role+" ") && says == "" {
			a.Errorf("%s: a %s has no name", name, role)
		}
	}
	h1 := eval[int](a.driven, `document.querySelectorAll("h1").length`)
	if h1 != 1 || count["main"] != 1 || count["navigation"] < 2 || count["complementary"] != 1 || count["status"] != 1 {
		a.Errorf("%s: %d headings of the first level, and %v", name, h1, count)
	}
}

// text is what a value of the tree is in words.
func text(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	return strings.Trim(string(v.Value), `"`)
}

// generated makes a table of a generator.
func generated(name string) func(t *testing.T) string {
	return func(t *testing.T) string {
		chance.Begin(t)
		in := filepath.Join(t.TempDir(), name+".csv")
		must.NoError(t, os.WriteFile(in+".seed", []byte(strings.Repeat("5eed", 16)+"\n"), 0o600))
		must.Get((&desk.Desk{}).Generate(t.Context(), desk.GenerateRequest{Name: name, Rows: 1200, Output: in,
			SeedFile: in + ".seed"}))(t)
		return in
	}
}

// household is a survey: three people in a household, which has one income and one sampling weight.
func household(t *testing.T) string {
	t.Helper()
	rows := "household;person;age;sex;region;income;employed\n"
	for i := range 1200 {
		h := i / 3
		rows += fmt.Sprintf("H%04d;P%05d;%d;%s;%s;%d;%s\n", h, i, 18+i*7%70, []string{"f", "m"}[i*5%3%2],
			[]string{"Nord", "Sud", "Est", "Ouest"}[h*3%4], 1200+h*37%300*10, []string{"oui", "non"}[(i*7%70/20+h)%2])
	}
	in := filepath.Join(t.TempDir(), "menages.csv")
	must.NoError(t, os.WriteFile(in, []byte(rows), 0o600))
	return in
}
