package workbench

import (
	"cmp"
	"html/template"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/study"
)

// compareView is two candidates side by side.
type compareView struct {
	Choices  []pickable // all that may be compared
	Few      bool       // there are no two
	A, B     side
	Figures  []pairRow
	Demands  []pairRow
	Sections []pairSection
	Forgot   bool // what came of one of them is no longer in memory
}

type pickable struct {
	N    int
	Text string
	A, B bool
}

// side is one of the two.
type side struct {
	Row    trayRow
	result *result
}

// pairRow is a figure of both.
type pairRow struct{ Name, A, B string }

// pairSection is a section of the report on both.
type pairSection struct {
	Name, Title string
	A, B        template.HTML
}

// pairs are the sections that are shown of both, those without a fold first.
var pairs = []string{"verdict", "people", "fitness", "columns", "rules", "associations", "clusters", "purposes",
	"measures"}

func (s *Server) compareScreen(r *http.Request, i *inspected) (any, error) {
	tray, err := s.tray(i)
	if err != nil {
		return nil, err
	}
	v := &compareView{Few: len(tray) < 2}
	if v.Few {
		return v, nil
	}
	a, b := asked(r, "a", len(tray)), asked(r, "b", len(tray))
	if a == 0 || b == 0 || a == b {
		a, b = len(tray), len(tray)-1
	}
	v.A, v.B = s.side(tray[a-1]), s.side(tray[b-1])
	for _, c := range tray {
		says := message.Say("workbench.pick").Count("n", c.N).Name("technique", c.Name).Part("on", c.On)
		v.Choices = append(v.Choices, pickable{c.N, says.String(), c.N == a, c.N == b})
	}
	v.Figures = figuresOfBoth(&v.A.Row, &v.B.Row)
	v.Forgot = v.A.result == nil || v.B.result == nil
	v.Demands = demandsOfBoth(v.A.result, v.B.result)
	for _, name := range pairs {
		if p := (pairSection{Name: name, A: v.A.section(name, "a-"), B: v.B.section(name, "b-")}); p.A != "" || p.B != "" {
			p.Title = cmp.Or(v.A.title(name), v.B.title(name))
			v.Sections = append(v.Sections, p)
		}
	}
	return v, nil
}

// figuresOfBoth are the figures of both that the tray shows.
func figuresOfBoth(a, b *trayRow) []pairRow {
	row := func(key string, of func(*trayRow) message.Sentence) pairRow {
		return pairRow{message.Say("workbench.side." + key).String(), of(a).String(), of(b).String()}
	}
	rows := []pairRow{
		row("verdict", func(r *trayRow) message.Sentence { return r.Verdict }),
		row("gate", func(r *trayRow) message.Sentence { return message.Text(r.Gate) }),
		row("found", func(r *trayRow) message.Sentence { return r.Found }),
		row("predicted", func(r *trayRow) message.Sentence { return r.Predicted }),
		row("on", func(r *trayRow) message.Sentence { return r.On }),
	}
	if a.Lost != nil || b.Lost != nil {
		rows = append(rows, row("lost", func(r *trayRow) message.Sentence { return r.Loses }))
	}
	return rows
}

// asked is a number of the tray that the address names; 0 for none.
func asked(r *http.Request, name string, most int) int {
	n, err := strconv.Atoi(r.URL.Query().Get(name))
	if err != nil || n < 1 || n > most {
		return 0
	}
	return n
}

func (s *Server) side(row trayRow) side { return side{row, s.work.result(row.ID)} }

// title is that of a section of the report; empty where there is no such section.
func (d *side) title(name string) string {
	if d.result == nil {
		return ""
	}
	return d.result.Titles[name]
}

// section is a section of the report whose ids are told apart from those of the other one on the page.
func (d *side) section(name, prefix string) template.HTML {
	if d.result == nil {
		return ""
	}
	return template.HTML(apart(lower(d.result.Sections[name]), prefix))
}

// lower makes a heading of the first level, which a screen has itself, one of the second.
func lower(html string) string {
	return strings.Replace(strings.Replace(html, "<h1>", `<h2 class="big">`, 1), "</h1>", "</h2>", 1)
}

// names are the places of a fragment in which ids stand: fragments are written by templates, which escape quotes in
// texts.
var names = regexp.MustCompile(`( id="| for="| aria-labelledby="| aria-describedby="| href="#|url\(#)([^")]+)`)

// apart puts a prefix before all ids of a fragment.
func apart(html, prefix string) string {
	return names.ReplaceAllStringFunc(html, func(at string) string {
		m := names.FindStringSubmatch(at)
		list := strings.Fields(m[2])
		for k := range list {
			list[k] = prefix + list[k]
		}
		return m[1] + strings.Join(list, " ")
	})
}

// demandsOfBoth are the limits that either was held against, in the order of the first.
func demandsOfBoth(a, b *result) (out []pairRow) {
	key := func(d *study.Demand) string { return d.Measure + "\x00" + d.Against }
	told := func(r *result, k string) string {
		if r == nil {
			return "–"
		}
		if n := slices.IndexFunc(r.Demands, func(d study.Demand) bool { return key(&d) == k }); n >= 0 {
			return report.Printable(reachedOf(&r.Demands[n]).String())
		}
		return "–"
	}
	var seen []string
	for _, r := range []*result{a, b} {
		if r == nil {
			continue
		}
		for n := range r.Demands {
			if k := key(&r.Demands[n]); !slices.Contains(seen, k) {
				seen = append(seen, k)
				out = append(out, pairRow{report.Printable(r.DemandNames[n]), told(a, k), told(b, k)})
			}
		}
	}
	return out
}

// reachedOf says what a release reaches of a limit, as the report does, and what became of the limit.
func reachedOf(d *study.Demand) message.Sentence {
	return message.Say("workbench.stands").Part("figure", report.Reached(d)).Part("standing", report.Standing(d))
}
