package chart

import "github.com/dither-data/dither/message"

// limit draws the line that a setting may not cross, with what it is at its upper end.
func (d *riskMap) limit() {
	if d.X.Limit == nil || *d.X.Limit < d.loX || *d.X.Limit > d.hiX {
		return
	}
	x := d.px(*d.X.Limit)
	d.path("M"+px(x)+" "+px(d.y0)+"V"+px(d.y1), "ref")
	s := message.Say("chart.limit").Number("v", *d.X.Limit, 0.01).String()
	w, a, at := faceRef.width(s), left, x+4
	if at+w > d.x1-2 {
		a, at = right, x-4
	}
	y := d.y0 + 11
	if d.Y.Higher { // the better corner is above
		y = d.y1 - 5
	}
	d.text(at, y, faceRef, a, s, "")
	if a == right {
		at -= w
	}
	d.lines = append(d.lines, segment{x, d.y0, x, d.y1})
	d.taken = append(d.taken, region{at, y - 10, at + w, y + 3})
}

// dot draws a point: a cross for one that may not go out, so that it is told from a dominated one without colour.
func (d *riskMap) dot(p Point, class string) {
	x, y := d.px(p.X.Mean), d.py(p.Y.Mean)
	if p.Link != "" {
		d.linked = true
		d.raw(`<a href="#`, escape(p.Link), `" aria-label="`, escape(d.tip(p)), `">`)
		defer d.raw(`</a>`)
	}
	tip := `<title>` + escape(d.tip(p)) + `</title>`
	if p.Aside {
		const n = dot - 0.6
		d.raw(`<g class="`, class, `">`, tip)
		d.rect(x-dot, y-dot, 2*dot, 2*dot, "hit", "")
		d.raw(`<path d="M`, px(x-n), ` `, px(y-n), `L`, px(x+n), ` `, px(y+n), `M`, px(x-n), ` `, px(y+n), `L`, px(x+n), ` `,
			px(y-n), `"/></g>`)
	} else {
		d.raw(`<circle cx="`, px(x), `" cy="`, px(y), `" r="`, px(dot), `" class="`, class, `">`, tip, `</circle>`)
	}
	d.taken = append(d.taken, region{x - dot, y - dot, x + dot, y + dot})
}

func (d *riskMap) tip(p Point) string {
	return message.Say("chart.point").Name("name", p.Name).Text("one", d.Y.Title).Text("y", interval(p.Y, d.Y.Decimals)).
		Text("other", d.X.Title).Text("x", interval(p.X, d.X.Decimals)).String()
}
