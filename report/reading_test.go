package report

import (
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
)

// reading is a page as a reader finds it: what stands below each heading. Drawings are left out.
type reading struct {
	headings []string
	tables   map[string][][]string // rows of cells, the head first; a second table goes on
	lists    map[string][]string
	facts    map[string][]string // name: text
	prose    map[string][]string // paragraphs
	panels   map[string][]string // what stands below a drawing, by its name
}

// read takes a page apart.
func read(t testing.TB, doc string) *reading {
	t.Helper()
	r := &reading{
		tables: map[string][][]string{},
		lists:  map[string][]string{},
		facts:  map[string][]string{},
		prose:  map[string][]string{},
		panels: map[string][]string{},
	}
	d := xml.NewDecoder(strings.NewReader(doc[strings.Index(doc, "<body"):strings.Index(doc, "</html>")]))
	d.Entity = xml.HTMLEntity
	var text strings.Builder
	var row []string
	here, term, panel, hidden := "", "", "", 0
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return r
		}
		must.NoError(t, err)
		switch e := tok.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "svg", "style":
				hidden++
			case "h1", "h2", "h3", "h4", "summary", "th", "td", "dt", "dd", "li", "p":
				text.Reset()
			case "span":
				if panel != "" {
					text.Reset()
				}
			case "br":
				text.WriteByte(' ')
			case "figure":
				panel = here
			}
		case xml.CharData:
			if hidden == 0 {
				text.Write(e)
			}
		case xml.EndElement:
			s := strings.Join(strings.Fields(text.String()), " ")
			switch e.Name.Local {
			case "svg", "style":
				hidden--
			case "h1", "h2", "h3", "h4", "summary":
				if panel != "" {
					panel = s
					break
				}
				here, r.headings = s, append(r.headings, s)
			case "th", "td":
				row = append(row, s)
			case "tr":
				r.tables[here], row = append(r.tables[here], row), nil
			case "dt":
				term = s
			case "dd":
				r.facts[here] = append(r.facts[here], term+": "+s)
			case "li":
				r.lists[here] = append(r.lists[here], s)
			case "p":
				if panel == "" {
					r.prose[here] = append(r.prose[here], s)
				}
			case "span":
				if panel != "" {
					r.panels[panel] = append(r.panels[panel], s)
				}
			case "figure":
				panel = ""
			}
		}
	}
}

// column returns the cells of a table below one head.
func (r *reading) column(t testing.TB, heading, head string) []string {
	t.Helper()
	rows := r.tables[heading]
	if len(rows) == 0 {
		t.Fatalf("there is no table below %q; the headings are %q", heading, r.headings)
	}
	k := slices.IndexFunc(rows[0], func(s string) bool { return strings.HasPrefix(s, head) })
	if k < 0 {
		t.Fatalf("the table below %q has no column %q: %q", heading, head, rows[0])
	}
	var out []string
	for _, row := range rows[1:] {
		out = append(out, row[k])
	}
	return out
}

// inLines is a table in lines, its cells apart by bars.
func inLines(rows [][]string) string {
	var lines []string
	for _, r := range rows {
		lines = append(lines, strings.Join(r, " | "))
	}
	return strings.Join(lines, "\n")
}
