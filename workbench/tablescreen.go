package workbench

import (
	"fmt"
	"html/template"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/table"
)

// screens in the order in which they are gone through.
var screens = []screen{
	{"table", "Table", "What does an intruder know already?", "", (*Server).tableScreen},
	{"intruders", "Intruders", "Whom is the release to withstand?", "", (*Server).intruderScreen},
	{"demands", "Demands", "What must the release keep?", "", (*Server).demandScreen},
	{"try", "Try", "What does a technique cost, and what does it win?", "", (*Server).tryScreen},
	{"compare", "Two of them", "Which of the two?", "try", (*Server).compareScreen},
	{"look", "Look", "What became of the table?", "", (*Server).lookScreen},
	{"sign", "Sign", "Do you answer for this release?", "", (*Server).signScreen},
}

func (s *Server) fileName() string { return report.Printable(filepath.Base(s.folder.table)) }

// tableView is the screen of the columns.
type tableView struct {
	Unique, Of, K string
	Share         message.Sentence
	Known         []string // the columns taken to be known
	Noun          string
	Rows          []columnRow
	Guesses       int
	Questions     []question
	From, To, All int // of the columns shown
	Before, After string
	Records       string
}

// columnRow is one column.
type columnRow struct {
	ID                string // of its controls
	Name              string
	Role              string
	Roles             []string
	Known, CanBeKnown bool
	Gain, Coarser     string // how many fewer are alone if it is left out, or coarsened
	Reason            string
	Guess             bool
	Kind, AskedKind   string
	CanBeNumbers      bool
	Domain            string
	Lo, Hi            string
	Declared          bool
	Codes             string // that mean missing
	Missing, Distinct string
	Unique            message.Sentence
	Shape             template.HTML
	Identifier        bool
	Pseudonymise      bool
	Keep, KeepText    bool
	Text              bool // looks like free text, names or contacts
}

// mostRows is how many columns a page shows.
const mostRows = 60

func (s *Server) tableScreen(r *http.Request, i *inspected) (any, error) {
	e := i.Exposure
	v := &tableView{
		Unique:    whole(e.Uniques),
		Of:        things(e.Rows, i.noun()),
		Share:     percent(e.Uniques, e.Rows),
		Known:     e.QuasiIdentifiers,
		Noun:      i.noun(),
		Guesses:   suggested(i.Roles),
		Questions: i.questions(),
		All:       i.Table.Width(),
		Records:   things(i.Table.Rows(), "record"),
	}
	if len(e.QuasiIdentifiers) > 0 {
		v.K = whole(e.K)
	}
	order, gains, coarser := i.order(), i.gains(), i.fewer(i.coarser, -1)
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	page = min(max(page, 0), (len(order)-1)/mostRows)
	v.From, v.To = page*mostRows+1, min((page+1)*mostRows, len(order))
	if page > 0 {
		v.Before = strconv.Itoa(page - 1)
	}
	if v.To < len(order) {
		v.After = strconv.Itoa(page + 1)
	}
	for _, j := range order[v.From-1 : v.To] {
		v.Rows = append(v.Rows, i.columnRow(j, gains[j], coarser[j]))
	}
	return v, nil
}

func (i *inspected) columnRow(j, gain, coarser int) columnRow {
	c, role, declared := &i.Profile.Columns[j], i.Roles[j], i.Policy.Columns[i.Table.Attr(j).Name]
	row := columnRow{
		ID:        "c" + strconv.Itoa(j),
		Name:      c.Name,
		Role:      role.Role.String(),
		Reason:    role.Reason().String(),
		Guess:     !role.Given,
		Kind:      c.Kind,
		AskedKind: declared.Kind,
		CanBeNumbers: i.Table.Attr(
			j,
		).Kind == table.Numeric,
		Domain:       report.Domain(c),
		Declared:     c.Declared,
		Missing:      whole(c.Missing),
		Distinct:     whole(c.Distinct),
		Unique:       share(c.Uniqueness),
		Known:        role.Role&table.Quasi != 0,
		CanBeKnown:   role.Role&(table.Identifier|table.Weight) == 0,
		Shape:        drawShape("s"+strconv.Itoa(j), c.Name, i.shapes[j]),
		Identifier:   role.Role&table.Identifier != 0,
		Pseudonymise: declared.Identifier == "pseudonymise",
		Keep:         declared.Keep,
		KeepText:     declared.KeepText,
		Text:         role.Remark == profile.Texts,
	}
	row.Codes = strings.Join(i.codes(c.Name), ", ")
	if c.Dates != "" {
		row.Kind = "dates"
	}
	if len(declared.Domain) == 2 {
		row.Lo, row.Hi = string(declared.Domain[0]), string(declared.Domain[1])
	}
	if row.Known {
		if row.Gain = fewer(gain).String(); coarser >= 0 {
			row.Coarser = message.Say("workbench.fewer.groups").Part("fewer", fewer(coarser)).Count("n", i.groups[j]).String()
		}
	}
	row.Roles = table.RoleNames()
	if !slices.Contains(row.Roles, row.Role) {
		row.Roles = append([]string{row.Role}, row.Roles...) // several at once
	}
	return row
}

func fewer(n int) message.Sentence {
	if n <= 0 {
		return message.Say("workbench.fewer.none")
	}
	return message.Say("workbench.fewer.n").Count("n", n)
}

// share writes a share of one in per cent; one that is not quite none or all never reads as if it were.
func share(v float64) message.Sentence {
	switch p := 100 * v; {
	case v != v:
		return message.Say("workbench.share.unknown")
	case p > 0 && p < 0.05:
		return message.Say("workbench.share.under")
	case p >= 99.95 && p < 100:
		return message.Say("workbench.share.over")
	default:
		return message.Say("list.percent").Fixed("n", p, 1)
	}
}

// percent is share of a number of things among all; not known of none.
func percent(n, of int) message.Sentence { return share(float64(n) / float64(of)) }

// drawShape draws a small histogram.
func drawShape(id, name string, s shape) template.HTML {
	if len(s.bars) == 0 {
		return ""
	}
	const width, height = 120.0, 26.0
	var b strings.Builder
	fmt.Fprintf(
		&b,
		`<svg class="dither spark" viewBox="0 0 %g %g" width="%g" height="%g" role="img" aria-labelledby="%s"><title id="%s">%s</title>`,
		width,
		height,
		width,
		height,
		id,
		id,
		template.HTMLEscapeString(message.Say("workbench.shape.title").Name("column", chart.Printable(name)).
			Part("of", s.of).String()),
	)
	step := width / float64(len(s.bars))
	step = min(step, 14)
	for k, v := range s.bars {
		h := v * (height - 1)
		if v > 0 {
			h = max(h, 1)
		}
		fmt.Fprintf(
			&b,
			`<rect class="bar" x="%.2f" y="%.2f" width="%.2f" height="%.2f"/>`,
			float64(k)*step,
			height-1-h,
			max(step-1, 1),
			h,
		)
	}
	fmt.Fprintf(&b, `<path class="base" d="M0 %gH%g"/></svg>`, height-0.5, step*float64(len(s.bars)))
	return template.HTML(b.String())
}
