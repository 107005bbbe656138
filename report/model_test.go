package report

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/study"
)

// shownFigure is a figure where a page shows it.
type shownFigure struct{ key, text string }

// figuresIn finds the figures of a fragment, each with all that its element says.
func figuresIn(t *testing.T, fragment string) (out []shownFigure) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader("<body>" + fragment + "</body>"))
	d.Entity = xml.HTMLEntity
	depth, at := 0, 0
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return out
		}
		must.NoError(t, err)
		switch e := tok.(type) {
		case xml.StartElement:
			depth++
			for _, a := range e.Attr {
				if a.Name.Local == "data-figure" {
					out, at = append(out, shownFigure{key: a.Value}), depth
				}
			}
			if at > 0 {
				out[len(out)-1].text += " "
			}
		case xml.EndElement:
			if depth == at {
				at = 0
			}
			depth--
		case xml.CharData:
			if at > 0 {
				out[len(out)-1].text += string(e)
			}
		}
	}
}

// inThisOrder reports whether the words of a text stand in another one in their order; words of other columns of a
// table may be between.
func inThisOrder(s, text string) bool {
	words := strings.Fields(text)
	for _, w := range strings.Fields(s) {
		k := slices.Index(words, w)
		if k < 0 {
			return false
		}
		words = words[k+1:]
	}
	return true
}

// TestOneModel: every figure that the page, a section of the workbench and the whole text show is the one of the model,
// with its key, its value, its interval and its sentence, in the order of the model, and none is shown besides.
func TestOneModel(t *testing.T) {
	o := wholeOutcome(t, "rpt")
	for _, opt := range []Options{{}, {Public: true}} {
		if opt.Public {
			o.Verdict.State = study.WithCare // nobody is told of a withheld one
		}
		d := must.Get(Document(o, opt))(t)
		page := render(t, o, opt)
		all := 0
		for k := range d.Sections {
			s := &d.Sections[k]
			var figures []*document.Figure
			s.Each(func(b document.Block) {
				if f, ok := b.(document.Figures); ok && f.Brief {
					return
				}
				one := document.Section{Blocks: []document.Block{b}}
				if _, table := b.(document.Table); table || document.KindOf(b) == "figures" {
					one.Walk(func(f *document.Figure) { figures = append(figures, f) })
				}
			})
			var fragment, text strings.Builder
			if title, err := Section(&fragment, s.Key, o, opt); err != nil || title.String() != s.Title.String() {
				t.Fatal(title, err)
			}
			sectionText(&text, s)
			said := strings.ReplaceAll(fragment.String(), "\u00a0", " ")
			if !strings.Contains(page, said) {
				t.Errorf("%s: the section of the workbench is not that of the page", s.Key)
			}
			shown := figuresIn(t, said)
			if len(shown) != len(figures) {
				t.Errorf("%s: the page shows %d figures, the model has %d", s.Key, len(shown), len(figures))
				continue
			}
			for k, f := range figures {
				value, interval := f.Text()
				for _, want := range []string{value, interval, f.Says.String()} {
					if shown[k].key != f.Key || !inThisOrder(want, shown[k].text) {
						t.Errorf("%s: the page shows %+v, the model has %q of %s", s.Key, shown[k], want, f.Key)
					}
					if want == interval && want != "" {
						want = "(" + want + ")"
					}
					if !inThisOrder(want, text.String()) {
						t.Errorf("%s: the text lacks %q of %s", s.Key, want, f.Key)
					}
				}
			}
			all += len(figures)
		}
		if least := map[bool]int{false: 60, true: 10}[opt.Public]; all < least {
			t.Errorf("public %v: the outcome has but %d figures", opt.Public, all)
		}
	}
}

// TestBriefFigures: what a screen shows is in the sections of the model, too, and how many are found, which the
// sentence about the worst intruder tells, is no figure besides.
func TestBriefFigures(t *testing.T) {
	o := wholeOutcome(t, "rpt")
	d := must.Get(Document(o, Options{}))(t)
	type figure struct {
		key   string
		value float64
	}
	everywhere := map[figure]int{}
	for k := range d.Sections {
		d.Sections[k].Walk(func(f *document.Figure) { everywhere[figure{f.Key, f.Value}]++ })
	}
	brief := briefFigures(o)
	for _, f := range brief {
		if everywhere[figure{f.Key, f.Value}] < 2 {
			t.Errorf("the screen shows %s, %v, which no section has", f.Key, f.Value)
		}
	}
	if o.Verdict.Found == nil || len(brief)+1 != mostFigures {
		t.Errorf("%d figures on a screen, besides the sentence", len(brief))
	}
	for _, f := range brief {
		if f.Key == foundKey && f.Title.Key() != "attack.besides" {
			t.Errorf("how many are found stands twice: %s", f.Title)
		}
	}
}

// skeleton is a page without what it says: its elements with their classes, ids and figures. Drawings, which fit their
// words, are left out.
func skeleton(t *testing.T, doc string) string {
	t.Helper()
	doc = regexp.MustCompile(`(?s)<svg class="dither.*?</svg>|<style.*?</style>`).ReplaceAllString(doc, "")
	var b strings.Builder
	for _, tag := range regexp.MustCompile(`<[^>]*>`).FindAllString(doc[strings.Index(doc, "<body"):], -1) {
		b.WriteString(regexp.MustCompile(` (aria-label|data-label|data-copy|data-copied|data-filter)="[^"]*"`).ReplaceAllString(tag, "") + "\n")
	}
	return b.String()
}

// TestReworded: in other words a report has the same sections, figures, states and folds: nothing is decided by a
// sentence.
func TestReworded(t *testing.T) {
	long.Only(t, "a report in other words")
	o := wholeOutcome(t, "rpt")
	file := must.Get(os.ReadFile("../message/words/en.yaml"))(t)
	other := must.Get(message.Read("en", []byte(wordsChanged(string(file)))))(t)
	var before, after [3]string
	take := func(into *[3]string) {
		into[0], into[1] = render(t, o, Options{}), render(t, o, Options{Public: true})
		d := must.Get(Document(o, Options{}))(t)
		for k := range d.Sections {
			d.Sections[k].Walk(func(f *document.Figure) {
				data, _ := json.Marshal(struct {
					Key           string
					Value, Lo, Hi string
				}{f.Key, document.Significant(f.Value), document.Significant(f.Lo), document.Significant(f.Hi)})
				into[2] += string(data) + "\n"
			})
		}
	}
	take(&before)
	english := message.English
	message.English = func() *message.Language { return other }
	defer func() { message.English = english }()
	take(&after)
	for k := range 2 {
		if skeleton(t, before[k]) != skeleton(t, after[k]) {
			t.Errorf("page %d is another in other words", k)
		}
		if !strings.Contains(after[k], "ZZ") {
			t.Error("the words are not other ones")
		}
	}
	if before[2] != after[2] {
		t.Error("the figures are others in other words")
	}
}

// wordsChanged puts a word before and behind every sentence of a language file.
func wordsChanged(file string) string {
	return regexp.MustCompile(`(?m)^( +(?:[\w-]+|"\w+"): ")(.*)"$`).ReplaceAllString(file, `${1}ZZ ${2} ZZ"`)
}

// modelJSON is the model of an outcome as JSON.
func modelJSON(t *testing.T, o *study.Outcome, opt Options) string {
	t.Helper()
	d := must.Get(Document(o, opt))(t)
	data := must.Get(json.Marshal(d))(t)
	return string(data)
}

// TestDocumentJSON: the model is written whole as JSON, blocks with their kinds, figures with their numbers, sentences
// with key and words; a figure without a value has none.
func TestDocumentJSON(t *testing.T) {
	o := wholeOutcome(t, "rpt")
	d := must.Get(Document(o, Options{}))(t)
	data := modelJSON(t, o, Options{})
	var doc struct {
		Kind     string
		Title    struct{ Key, Text string }
		Sections []struct {
			Key    string
			Blocks []map[string]any
		}
	}
	must.NoError(t, json.Unmarshal([]byte(data), &doc))
	if doc.Kind != "release" || doc.Title.Key != "head.perturbed" ||
		!strings.HasPrefix(doc.Title.Text, "300 records, perturbed by") ||
		len(doc.Sections) != len(d.Sections) {
		t.Errorf("%+v", doc)
	}
	kinds := map[string]bool{}
	for _, s := range doc.Sections {
		for _, b := range s.Blocks {
			kinds[b["kind"].(string)] = true
		}
	}
	for _, want := range []string{"prose", "part", "group", "table", "figures", "charts", "fold"} {
		if !kinds[want] {
			t.Errorf("no block is a %s: %v", want, kinds)
		}
	}
	figures := 0
	for k := range d.Sections {
		d.Sections[k].Walk(func(*document.Figure) { figures++ })
	}
	if n := strings.Count(data, `"lo":`); n != figures {
		t.Errorf("%d figures are written of %d", n, figures)
	}
}
