package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"html"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// saying is a page without its script, which says nothing.
func saying(page string) string {
	return strings.Replace(page, "<script>"+scriptText+"</script>", "", 1)
}

func render(t testing.TB, o *study.Outcome, opt Options) string {
	t.Helper()
	var b bytes.Buffer
	must.NoError(t, HTML(&b, o, opt))
	wellFormed(t, b.String())
	return strings.ReplaceAll(saying(b.String()), "\u00a0", " ")
}

// marks are traces of what a page must not do: load, or print what formatting or a figure went wrong with. No name that
// a test draws holds one.
var marks = []string{"http://", "https://", "@import", "url(", "NaN", "ZgotmplZ", "%!"}

// wellFormed checks what every report must keep: tags that close, unique ids, names for the drawings, heads with a
// scope, nothing that loads, and nothing that runs but the script that the policy of the page names.
func wellFormed(t testing.TB, doc string) {
	t.Helper()
	sum := sha256.Sum256([]byte(scriptText))
	digest := base64.StdEncoding.EncodeToString(sum[:])
	policy := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(doc)
	if policy == nil || html.UnescapeString(policy[1]) != "default-src 'none'; style-src 'unsafe-inline'; "+
		"script-src 'sha256-"+digest+"'; img-src data:" {
		t.Errorf("the content security policy is %q", policy)
	}
	before, after, found := strings.Cut(doc, "<script>"+scriptText+"</script>")
	if !found {
		t.Error("the page has not the one script that its policy names")
	}
	doc = before + after
	d := xml.NewDecoder(strings.NewReader(doc[strings.Index(doc, "<html"):]))
	d.Entity = xml.HTMLEntity
	ids := map[string]bool{}
	var refs []string
	level, tables := 0, 0
	for {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		e, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		at := map[string]string{}
		for _, a := range e.Attr {
			at[a.Name.Local] = a.Value
		}
		if id := at["id"]; id != "" {
			if ids[id] {
				t.Errorf("id %q occurs twice", id)
			}
			ids[id] = true
		}
		refs = append(refs, strings.Fields(at["aria-labelledby"])...)
		if at["tabindex"] != "" && (at["aria-label"] == "" || at["role"] == "") {
			t.Error("a box that takes the focus has no name")
		}
		if strings.HasPrefix(at["href"], "#") {
			refs = append(refs, at["href"][1:])
			delete(at, "href")
		}
		switch e.Name.Local {
		case "h1", "h2", "h3", "h4":
			if l := int(e.Name.Local[1] - '0'); l > level+1 {
				t.Errorf("a heading of level %d follows one of level %d", l, level)
			} else {
				level = l
			}
		case "table":
			tables++
		case "caption":
			tables--
		case "th":
			if at["scope"] == "" {
				t.Error("a table head has no scope")
			}
		case "script", "link", "img", "iframe", "object", "base", "form":
			t.Errorf("element <%s>", e.Name.Local)
		}
		for k := range at {
			if k == "src" || k == "href" || strings.HasPrefix(k, "on") {
				t.Errorf("attribute %s of <%s>", k, e.Name.Local)
			}
		}
	}
	if tables != 0 {
		t.Errorf("%d tables have no caption", tables)
	}
	for _, r := range refs {
		if !ids[r] {
			t.Errorf("nothing has the id %q", r)
		}
	}
	for _, s := range marks {
		if strings.Contains(doc, s) {
			t.Errorf("the report holds %q", s)
		}
	}
}

func TestInternal(t *testing.T) {
	doc := render(t, sample(t, 300, 3, 2, same), Options{Generated: time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC)})
	for _, want := range []string{"300 records, released by Framework", "4 March 2026, 05:06 UTC", "Islam 2007, section " +
		"7.1", "patients.csv", "0a1b222", "feed333", "c0ffee111",
		"33.33 % of the domain", "98.3 → 96.2 %", "99.7 %", "1 of 300 records left the segment", "60 % of the records fall " +
			"under rules", "0.432",
		"The tables have 70999 rows.", "87.7 %", "Mean 70,111 → 501", "Missing: 34", "≤ 71,717", "ORIGINALONLY",
		"It is noise, not a guarantee.", "passport", "dropped",
		"81.8 %", "17.2 %", "0.293", "here and there", "36.4 %", "Distance 0.475"} {
		if !strings.Contains(doc, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if n := strings.Count(doc, "<figure>"); n != 1+6+2+1+2 {
		t.Errorf("%d drawings, want one at the head, 6 columns, 2 heat maps, a list of pairs and 2 trees", n)
	}
}

// TestPublic looks for everything in the public report that an intruder could use.
func TestPublic(t *testing.T) {
	o := sample(t, 300, 3, 2, same)
	doc := render(t, o, Options{Public: true})
	for _, leak := range []string{"33.33", "0.123", "spread", "probability", "c0ffee", "0a1b2", "patients.csv",
		"ORIGINALONLY", "71,717", "71717", "70,11", "2022", "0.8765", "87.7",
		"54.321", "70123", "81.8", "0.293", "36.4 %", "0.475", "here and there", "70999", "12.3", "passport", "LINFAPT", "≤ 505", "heat-o", "tree-o", "Original</h3>", `class="before"`} {
		for what, s := range map[string]string{"page": doc, "model": modelJSON(t, o, Options{Public: true})} {
			if at := strings.Index(s, leak); at >= 0 {
				t.Errorf("the public %s holds %q: %.120q", what, leak, s[max(0, at-60):])
			}
		}
	}
	lo, hi := table.Range(o.Original.Num(0))
	if lo < 60000 || hi > 80000 {
		t.Fatal("the sample has changed")
	}
	if m := regexp.MustCompile(`[67]\d,?\d{3}|0\.[67] m`).FindString(doc[strings.Index(doc, "<body>"):]); m != "" {
		t.Errorf("the public report holds %q, a value in the range of the original", m)
	}
	for _, want := range []string{"released by Framework", "Islam 2007, section 7.1", "feed333", "over 96.3 → 96.2 %",
		"60 %", "0.432", "It is noise, not a guarantee.", "shared", "1 column of the original"} {
		if !strings.Contains(doc, want) {
			t.Errorf("the public report lacks %q", want)
		}
	}
}

// TestPublicDependsOnReleaseAlone swaps the original for another one with the same figures, in which the same
// categories are held by enough people: not a byte of the public report may change.
func TestPublicDependsOnReleaseAlone(t *testing.T) {
	o := sample(t, 200, 2, 1, same)
	want := render(t, o, Options{Public: true})
	for j := range o.Original.Width() {
		if o.Original.Attr(j).Kind == table.Numeric {
			other := make([]float64, 200)
			for i := range other {
				other[i] = float64(i)
			}
			o.Original = o.Original.WithNum(j, other)
		} else {
			other := make([]int32, 200)
			for i := range other {
				other[i] = int32(i % 3)
			}
			o.Original = o.Original.WithCat(j, other)
		}
	}
	o.Params, o.Commitment, o.OriginalFile, o.HoldoutFile = nil, "", study.File{}, &study.File{Name: "holdout.csv"}
	if got := render(t, o, Options{Public: true}); got != want {
		t.Error("the public report depends on the original")
	}
}

func TestEdges(t *testing.T) {
	long := func(s string) string { return s + strings.Repeat(" длинное имя", 40) }
	evil := func(s string) string { return `</style></svg><script>alert("` + s + `")</script>&amp;'` }
	for _, c := range []struct {
		name                       string
		rows, numeric, categorical int
		rename                     func(string) string
	}{
		{"no numeric", 50, 0, 3, same}, {"no categorical but the class", 50, 4, 0, same}, {"class alone", 50, 0, 0, same},
		{"one record", 1, 2, 1, same},
		{"a hundred attributes", 40, 100, 20, same}, {"long names", 40, 3, 2, long},
		{"injection", 40, 3, 2, func(s string) string { return evil(s) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := sample(t, c.rows, c.numeric, c.categorical, c.rename)
			for _, public := range []bool{false, true} {
				doc := render(t, o, Options{Public: public, Title: c.rename("title")})
				if len(doc) > 1<<20 {
					t.Errorf("%d bytes", len(doc))
				}
			}
			if err := Text(io.Discard, o, Screen{Verbose: true}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestWithout(t *testing.T) {
	o := sample(t, 30, 2, 1, same)
	for _, change := range []func(){
		func() {
			o.Original = o.Original.WithNum(0, make([]float64, 30))
			o.Released = o.Released.WithNum(0, make([]float64, 30))
		},
		func() {
			gone := make([]float64, 30)
			for i := range gone {
				gone[i] = math.NaN()
			}
			o.Original, o.Released = o.Original.WithNum(1, gone), o.Released.WithNum(1, gone)
		},
		func() { o.Measures = nil },
		func() { o.Method, o.Params, o.NotProtected, o.Changes = nil, nil, nil, nil },
	} {
		change()
		render(t, o, Options{})
		render(t, o, Options{Public: true})
	}
	if doc := render(t, o, Options{}); !strings.Contains(doc, "made elsewhere") {
		t.Error("a release of unknown technique is not said to be one")
	}
	for _, bad := range []*study.Outcome{nil, {}, {Original: o.Original},
		{Original: o.Original, Released: o.Released.Select(0)},
		{Original: o.Original, Released: o.Released.Select(1, 0, 2, 3)}} {
		if HTML(io.Discard, bad, Options{}) == nil || Text(io.Discard, bad, Screen{Verbose: true}) == nil {
			t.Errorf("an outcome without two tables of the same attributes is accepted: %v", bad)
		}
	}
}

func TestText(t *testing.T) {
	var b bytes.Buffer
	must.NoError(t, Text(&b, sample(t, 300, 3, 2, func(s string) string { return s + "\x1b[31m" }),
		Screen{Verbose: true}))
	for _, want := range []string{"300 records, released by Framework", "98.3 → 96.2 %", "not measured", "number 0",
		"87.7 %", "dropped", "- It is noise"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the summary lacks %q:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Error("a column name reaches the terminal as a control sequence")
	}
	for _, l := range strings.Split(b.String(), "\n") {
		if strings.TrimRight(l, " ") != l {
			t.Errorf("line %q ends in blanks", l)
		}
	}
}
