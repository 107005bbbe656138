package workbench

import (
	"fmt"
	"html/template"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/table"
)

// screens are the steps of the path in order, each followed by the screens that lead closer to what it is about.
var screens = []screen{
	{"data", "", (*Server).dataScreen},
	{"table", "", (*Server).tableScreen},
	{"intruders", "table", (*Server).intruderScreen},
	{"purposes", "", (*Server).purposeScreen},
	{"demands", "purposes", (*Server).demandScreen},
	{"try", "", (*Server).tryScreen},
	{"compare", "try", (*Server).compareScreen},
	{"look", "", (*Server).lookScreen},
	{"sign", "", (*Server).signScreen},
}

func (s *Server) fileName() string { return report.Printable(filepath.Base(s.folder.table)) }

// dataView is the screen of the file as it was read.
type dataView struct {
	Records, Columns int
	Questions        []question
	Notes            []message.Sentence // on the whole table
	OfColumns        int                // how many columns have notes
}

func (s *Server) dataScreen(_ *http.Request, i *inspected) (any, error) {
	notes := i.remarks()
	v := &dataView{Records: i.Table.Rows(), Columns: i.Table.Width(), Questions: i.asked("data"), Notes: notes[""],
		OfColumns: len(notes)}
	if v.Notes != nil {
		v.OfColumns--
	}
	return v, nil
}

// tableView is the screen of the columns.
type tableView struct {
	Unique, K     int // how many are alone, and records of the smallest group
	Of, Share     message.Sentence
	Known         []string // the columns taken to be known
	People        bool     // are counted, and not records
	Rows          []columnRow
	Guesses       int
	Questions     []question
	From, To, All int // of the columns shown
	Before, After string
	Records       int
}

// columnRow is one column.
type columnRow struct {
	ID                string // of its controls
	Name              string
	Notes             []message.Sentence
	Role              string
	Roles             []string
	Known, CanBeKnown bool
	Gain, Coarser     message.Sentence // how many fewer are alone if it is left out, or coarsened
	Why               message.Sentence // the role is a guess
	Guess             bool
	Kind, AskedKind   string
	CanBeNumbers      bool
	Domain            message.Sentence // from the smallest to the largest value
	Lo, Hi            string
	Declared          bool
	Codes             string // that mean missing
	Missing, Distinct int
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
		Unique:    e.Uniques,
		K:         e.K,
		Of:        i.ofAll(e.Rows),
		Share:     percent(e.Uniques, e.Rows),
		Known:     e.QuasiIdentifiers,
		People:    i.people(),
		Guesses:   suggested(i.Roles),
		Questions: i.asked("table"),
		All:       i.Table.Width(),
		Records:   i.Table.Rows(),
	}
	notes := i.remarks()
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
		row := i.columnRow(j, gains[j], coarser[j], s.speaks())
		row.Notes = notes[row.Name]
		v.Rows = append(v.Rows, row)
	}
	return v, nil
}

func (i *inspected) columnRow(j, gain, coarser int, l *message.Language) columnRow {
	c, role, declared := &i.Profile.Columns[j], i.Roles[j], i.Policy.Columns[i.Table.Attr(j).Name]
	row := columnRow{
		ID:           "c" + strconv.Itoa(j),
		Name:         c.Name,
		Role:         role.Role.String(),
		Why:          message.Say("workbench.table.guess").Part("why", role.Reason()),
		Guess:        !role.Given,
		Kind:         c.Kind,
		AskedKind:    declared.Kind,
		CanBeNumbers: i.Table.Attr(j).Kind == table.Numeric,
		Declared:     c.Declared,
		Missing:      c.Missing,
		Distinct:     c.Distinct,
		Unique:       share(c.Uniqueness),
		Known:        role.Role&table.Quasi != 0,
		CanBeKnown:   role.Role&(table.Identifier|table.Weight) == 0,
		Shape:        drawShape("s"+strconv.Itoa(j), c.Name, i.shapes[j], l),
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
	if c.Domain != nil {
		of := table.Attribute{Step: c.Step, Dates: calendar.Notation(c.Dates)}
		row.Domain = message.Say("workbench.table.between").Name("lo", string(of.AppendValue(nil, c.Domain.Lo))).
			Name("hi", string(of.AppendValue(nil, c.Domain.Hi)))
	}
	if len(declared.Domain) == 2 {
		row.Lo, row.Hi = string(declared.Domain[0]), string(declared.Domain[1])
	}
	if row.Known {
		if row.Gain = fewer(gain); coarser >= 0 {
			row.Coarser = message.Say("workbench.fewer.groups").Part("fewer", fewer(coarser)).Count("n", i.groups[j])
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
func drawShape(id, name string, s shape, l *message.Language) template.HTML {
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
		template.HTMLEscapeString(l.Say(message.Say("workbench.shape.title").Name("column", chart.Printable(name)).
			Part("of", s.of))),
	)
	step := width / float64(len(s.bars))
	step = min(step, 14)
	for k, v := range s.bars {
		h := v * (height - 1)
		if v > 0 {
			h = max(h, 1)
		}
		fmt.Fprintf(&b, `<rect class="bar" x="%.2f" y="%.2f" width="%.2f" height="%.2f"/>`, float64(k)*step, height-1-h,
			max(step-1, 1), h)
	}
	fmt.Fprintf(&b, `<path class="base" d="M0 %gH%g"/></svg>`, height-0.5, step*float64(len(s.bars)))
	return template.HTML(b.String())
}
