package report

import (
	"html/template"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/report/chart"
)

// pen writes a document as HTML, one way for every kind of block. It takes template.HTML alone: constants of this file,
// and what say and attr escaped.
type pen struct{ b strings.Builder }

func (p *pen) put(parts ...template.HTML) {
	for _, s := range parts {
		p.b.WriteString(string(s))
	}
}

// sectionHTML writes a section. The one with a state is the head of a page.
func sectionHTML(s *document.Section) template.HTML {
	var p pen
	if s.State != document.Stateless {
		p.put(`<header class="head `, attr(s.State.Class()), `" id="`, attr(s.Key), `">`, "\n", `<div class="word">`,
			sign(s.State),
			`<h1><span>`, say(word(s.State)), `</span>: `, say(s.Title), "</h1></div>\n")
		p.blocks(s.Blocks, 2)
		p.put("</header>")
	} else {
		p.put("<section", class(s.Look), ` id="`, attr(s.Key), `">`, "\n<h2>", say(s.Title), "</h2>\n")
		p.blocks(s.Blocks, 3)
		p.put("</section>")
	}
	return template.HTML(PrintableLines(p.b.String()))
}

// blocks writes blocks whose headings are of a level.
func (p *pen) blocks(blocks []document.Block, level int) {
	for _, b := range blocks {
		switch b := b.(type) {
		case document.Prose:
			p.prose(b)
		case document.List:
			p.list(b)
		case document.Facts:
			p.facts(b)
		case document.Reasons:
			p.reasons(b)
		case document.Figures:
			p.figures(b, level)
		case document.Table:
			p.table(b)
		case document.Charts:
			p.charts(b, level)
		case document.Part:
			p.heading(level, b.Look, b.Title)
			p.blocks(b.Blocks, min(level+1, lowest))
		case document.Group:
			p.put("<div", class(b.Look), ">\n")
			for _, part := range b.Parts {
				p.put("<div", class(part.Look), ">")
				p.heading(level, "", part.Title)
				p.blocks(part.Blocks, min(level+1, lowest))
				p.put("</div>\n")
			}
			p.put("</div>\n")
		case document.Fold:
			p.put("<details>\n<summary>", say(b.Title), "</summary>\n")
			p.blocks(b.Blocks, level)
			p.put("</details>\n")
		}
	}
}

// lowest is the lowest level of headings.
const lowest = 4

func (p *pen) heading(level int, look string, title message.Sentence) {
	h := template.HTML("h" + strconv.Itoa(level))
	p.put("<", h, class(look), ">", say(title), "</", h, ">\n")
}

func (p *pen) prose(b document.Prose) {
	if b.Brief {
		return
	}
	p.put("<p", class(b.Look), ">")
	p.joined(b.Says, " ")
	p.put("</p>\n")
}

func (p *pen) joined(all []message.Sentence, between template.HTML) {
	for k, s := range all {
		if k > 0 {
			p.put(between)
		}
		p.put(say(s))
	}
}

func (p *pen) list(b document.List) {
	if b.Brief {
		return
	}
	look := b.Look
	if look == "" {
		look = "list"
	}
	p.put("<ul", class(look), ">")
	for k, s := range b.Items {
		mark := ""
		if k < len(b.Marks) {
			mark = b.Marks[k]
		}
		p.put("\n<li", class(mark), ">", say(s), "</li>")
	}
	p.put("\n</ul>\n")
}

func (p *pen) facts(b document.Facts) {
	if b.Look == "rows" {
		p.put(`<ol class="rows">`)
		for _, f := range b.Items {
			p.put("\n<li><b>", say(f.Name), "</b> <span>", say(f.Says), "</span></li>")
		}
		p.put("\n</ol>\n")
		return
	}
	look := ""
	if b.Look == "hash" { // of the texts
		b.Look, look = "", b.Look
	}
	p.put("<dl", class(b.Look), ">")
	for _, f := range b.Items {
		p.put("\n<div><dt>", say(f.Name), "</dt><dd", class(look), ">", say(f.Says), "</dd></div>")
	}
	p.put("\n</dl>\n")
}

func (p *pen) reasons(b document.Reasons) {
	if b.Brief {
		return
	}
	p.put(`<ul class="reasons">`)
	for _, r := range b.Items {
		p.put("\n", `<li class="reason `, attr(r.State.Class()), `"><p><b>`, say(r.Says), "</b>")
		if n := len(r.Columns); n > 0 {
			p.put(` <span class="names">`, say(message.Say("head.columns").Count("n", n)), " ")
			for k, c := range r.Columns {
				if k > 0 {
					p.put(", ")
				}
				p.put(nameHTML(c))
			}
			p.put("</span>")
		}
		p.put("</p>")
		if !r.Remedy.Empty() {
			p.put(`<p class="remedy">`, say(message.Say("head.remedy").Part("remedy", r.Remedy)), "</p>")
		}
		p.put("</li>")
	}
	p.put("\n</ul>\n")
}

func (p *pen) figures(b document.Figures, level int) {
	if b.Brief {
		return
	}
	p.put(`<div class="figures">`, "\n")
	for _, f := range b.Items {
		look := "figure"
		if f.Failed {
			look += " failed"
		}
		value, _ := f.Text()
		p.put("<div", class(look), key(&f), ">\n")
		p.heading(level, "", f.Title)
		p.put(`<p class="value">`, sayHTML(value), "</p>\n<p>", say(f.Says), "</p>\n</div>\n")
	}
	p.put("</div>\n")
}

// key marks an element that shows a figure by the figure's key.
func key(f *document.Figure) template.HTML { return ` data-figure="` + attr(f.Key) + `"` }

func (p *pen) table(t document.Table) {
	look, label := t.Look, attr(t.Title.String())
	if look == "" {
		look = "stack"
	}
	p.put(`<div class="scroll" tabindex="0" role="group" aria-label="`, label, `"><table`, class(look), ">\n",
		`<caption class="vh">`, say(t.Title),
		"</caption>\n<thead><tr>")
	for _, c := range t.Columns {
		look := ""
		if c.Numeric {
			look = "n"
		} else if c.Wide {
			look = "wide"
		}
		p.put(`<th scope="col"`, class(look), ">", say(c.Title))
		p.below(c.Below)
		p.put("</th>")
	}
	p.put("</tr></thead>\n<tbody>")
	for _, r := range t.Rows {
		p.row(&t, r)
	}
	p.put("\n</tbody>")
	if t.Foot != nil {
		p.put("\n<tfoot>")
		p.row(&t, *t.Foot)
		p.put("</tfoot>")
	}
	p.put("</table></div>\n")
}

func (p *pen) row(t *document.Table, r document.Row) {
	p.put("\n<tr", class(r.Look))
	if r.Anchor != "" {
		p.put(` id="`, attr(r.Anchor), `"`)
	}
	p.put(">")
	for k, c := range r.Cells {
		var of document.Column
		if k < len(t.Columns) {
			of = t.Columns[k]
		}
		look := c.Look
		if of.Numeric {
			look = strings.TrimSpace("n " + look)
		}
		if k == 0 {
			p.head(c, look)
			continue
		}
		p.put("<td", class(look))
		p.put(span(c))
		if !of.Wide && (t.Look == "" || strings.HasPrefix(t.Look, "stack")) { // else it stays a table on a phone
			p.put(` data-label="`, attr(small(of.Title.String())), `"`)
		}
		if c.Figure != nil {
			p.put(key(c.Figure))
		}
		p.put(">")
		p.cell(c)
		p.put("</td>")
	}
	p.put("</tr>")
}

// head is the cell that names a row. A tag is a box within the cell, for one that is a box itself has no room.
func (p *pen) head(c document.Cell, look string) {
	if strings.HasPrefix(look, "tag ") {
		p.put(`<th scope="row"`, span(c), "><span", class(look), ">")
		p.cell(c)
		p.put("</span></th>")
		return
	}
	p.put(`<th scope="row"`, class(look), span(c), ">")
	p.cell(c)
	p.put("</th>")
}

// span is the attribute of a cell of several columns.
func span(c document.Cell) template.HTML {
	if c.Span == 0 {
		return ""
	}
	return ` colspan="` + attr(strconv.Itoa(c.Span)) + `"`
}

func (p *pen) cell(c document.Cell) {
	if c.State != document.Stateless {
		p.put("<span>", sign(c.State), " ")
	}
	if !c.Mark.Empty() {
		p.put(`<span class="mk">`, say(c.Mark), "</span> ")
	}
	switch {
	case c.Figure != nil:
		value, interval := c.Figure.Text()
		p.put(sayHTML(value))
		for _, s := range []string{c.Of, interval} {
			if s != "" {
				p.put("<br/><small>", sayHTML(s), "</small>")
			}
		}
	case c.Says.Empty() && c.Below == nil:
		p.put("–")
	default:
		p.put(say(c.Says))
	}
	for _, s := range c.Lines {
		p.put("<br/>", say(s))
	}
	if c.State != document.Stateless {
		p.put("</span>")
	}
	if c.Source != "" {
		p.put(" <cite>", sayHTML(c.Source), "</cite>")
	}
	p.below(c.Below)
}

func (p *pen) below(all []message.Sentence) {
	for _, s := range all {
		p.put("<br/><small>", say(s), "</small>")
	}
}

// The looks of charts that are more than a class.
const (
	lookCards  = "cards" // small ones beside each other
	lookKey    = "key"   // the key to others, without a frame
	lookAlone  = "alone"
	lookMap    = "map" // with text beside it
	lookPair   = "pair"
	lookGlance = "glance" // at the right of the head
)

// drawings are those of charts, empty where there is none.
func drawings(charts []document.Chart) []template.HTML {
	drawn := make([]template.HTML, len(charts))
	for k, c := range charts {
		if c.Drawing != nil {
			drawn[k] = c.Drawing.Draw(c.Key)
		}
	}
	return drawn
}

func (p *pen) charts(b document.Charts, level int) {
	look := b.Look
	if look == "" {
		look = lookCards
	}
	boxed := look != lookCards && look != lookMap && look != lookGlance
	drawn := drawings(b.Items)
	switch {
	case look == lookKey:
		p.put(drawn...)
		return
	case look == lookAlone:
	default:
		if strings.HasSuffix(look, "trees") {
			p.put("<style>", template.HTML(wider(chart.Width(drawn[0]), chart.Width(drawn[1]))), "</style>\n")
		}
		p.put("<div", class(look), ">\n")
		defer p.put("</div>\n")
	}
	for k, c := range b.Items {
		p.put("<figure>")
		if !c.Title.Empty() {
			p.put("<figcaption>")
			p.heading(level, "", c.Title)
			if !c.Says.Empty() {
				p.put("<p>", say(c.Says), "</p>")
			}
			p.put("</figcaption>")
		}
		switch {
		case c.Narrow != nil:
			p.put(`<div class="wide-map">`, drawn[k], `</div><div class="narrow-map">`, c.Narrow.Draw(c.Key+"-narrow"), "</div>")
		case boxed:
			p.put(`<div class="scroll" tabindex="0" role="group" aria-label="`, attr(c.Title.String()), `">`, drawn[k], "</div>")
		default:
			p.put(drawn[k])
		}
		if c.Facts != nil {
			p.put(`<p class="facts">`)
			for _, f := range c.Facts {
				p.put("<span>", say(f), "</span> ")
			}
			p.put("</p>")
		}
		for _, s := range c.Below {
			p.put("\n<p>", say(s), "</p>")
		}
		p.put("</figure>\n")
	}
	if b.Aside != nil {
		p.put(`<div class="aside">`, "\n")
		p.blocks(b.Aside, level)
		p.put("</div>\n")
	}
}

// class is the attribute of that name; nothing for no class.
func class(look string) template.HTML {
	if look == "" {
		return ""
	}
	return ` class="` + attr(look) + `"`
}

// attr writes a text inside an attribute.
func attr(s string) template.HTML { return template.HTML(template.HTMLEscapeString(Printable(s))) }

// say writes a sentence, or a name alone.
func say(s message.Sentence) template.HTML {
	if s.IsName() {
		return nameHTML(s.String())
	}
	return sayHTML(s.String())
}

// small begins a label with a small letter, unless it is an acronym.
func small(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if second, _ := utf8.DecodeRuneInString(s[n:]); unicode.IsUpper(second) {
		return s
	}
	return string(unicode.ToLower(r)) + s[n:]
}

// sign is the sign of a state.
func sign(s document.State) template.HTML {
	drawn, ok := signs[s]
	if !ok {
		drawn = signs[document.Unjudged]
	}
	return `<svg class="sign ` + attr(s.Class()) +
		`" viewBox="0 0 48 48" width="48" height="48" aria-hidden="true" focusable="false">` + drawn + "</svg>"
}

var signs = map[document.State]template.HTML{
	document.Withheld: `<path class="body" d="M15 2h18l13 13v18L33 46H15L2 33V15z"/><path class="sketch" d="M12 24h24"/>`,
	document.WithCare: `<path class="body" d="M24 3L46 44H2z"/><path class="sketch" d="M24 18v12M24 36v1"/>`,
	document.Meets:    `<circle class="body" cx="24" cy="24" r="22"/><path class="sketch" d="M13 25l8 8 14-17"/>`,
	document.Unjudged: `<path class="body" d="M3 3h42v42H3z"/><path class="sketch" d="M18 18a6 6 0 1 1 6 7v4M24 35v1"/>`,
}
