package chart

import (
	"cmp"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/segment/tree"
)

// TreeOptions says how a tree is drawn; the zero value is fine.
type TreeOptions struct {
	ID    string // prefix of the ids in the fragment, unique in the page; "tree" when empty
	Title string // for screen readers; "Decision tree" when empty
	// Types holds the type of each leaf's rule, a letter from A to D, and Match the number, from 0, of the leaf of another
	// tree that comes closest, -1 for none. Both may be nil.
	Types []byte
	Match []int
	// Classes orders the classes, largest first, so that two trees give them the same colours; nil takes the tree's own
	// order.
	Classes []string
	Limit   int // leaves drawn one by one; 0 means MostLeaves
}

// mostColours is how many classes have a colour of their own.
const mostColours = 5

const (
	leafBar  = 58.0 // width of a class bar
	classMax = 104.0
)

// Tree draws a decision tree from left to right, one line for every leaf: its number, the type of its rule, the mix of
// classes, the predicted class and the number of records. Above about MostLeaves leaves it draws the largest and sums
// the others where they hang. Cost: O(n log n) for n nodes.
func Tree(t *tree.Tree, opt TreeOptions) template.HTML { return newDrawing(t, opt).draw() }

func (d *drawing) draw() template.HTML {
	t := d.t
	d.key()
	height, end := d.root.settle(t, d.top, d.columns(0))
	d.width = math.Max(d.width, d.columns(end))
	d.heads()
	d.branches(d.root)
	d.root.lines(d.line)
	desc := message.Say("chart.leaf").Count("leaves", d.count).Amount("records", d.total)
	if r := &t.Nodes[0]; !r.Leaf() {
		desc = message.Say("chart.tree").Count("leaves", d.count).Amount("records", d.total).
			Name("column", t.Attrs[r.Attr].Name)
	}
	return d.svg(d.ID, "tree", d.Title, desc.String(), d.width, d.top+height+6)
}

// Trees draws the original and the released tree with the same class colours. Types and match belong to the leaves of
// the released one, as in TreeOptions.
func Trees(id string, original, released *tree.Tree, types []byte, match []int) (left, right template.HTML) {
	classes := classOrder(original)
	left = Tree(original, TreeOptions{ID: id + "-o", Title: message.Say("chart.treeBefore").String(), Classes: classes})
	right = Tree(released, TreeOptions{ID: id + "-r", Title: message.Say("chart.treeAfter").String(), Classes: classes,
		Types: types, Match: match})
	return left, right
}

// TreeSVG draws a tree as a document of its own, with the style sheet inside.
func TreeSVG(t *tree.Tree, opt TreeOptions) string {
	d := newDrawing(t, opt)
	d.margin = 14
	s := string(d.draw())
	s = strings.Replace(s, "<svg ", `<svg xmlns="http://www.w3.org/2000/svg" `, 1)
	head, body, _ := strings.Cut(s, "</desc>")
	return head + "</desc><style>" + escaper.Replace(
		CSS,
	) + `</style><rect x="-14" y="-14" width="100%" height="100%" class="paper"/>` + body + "\n"
}

// drawing is one tree on its canvas.
type drawing struct {
	canvas
	TreeOptions
	t         *tree.Tree
	root      *place
	rules     []string
	count     int
	total     float64
	colour    []int // by class: 0 to mostColours-1, or mostColours for the rest
	top       float64
	width     float64
	leafX     float64 // where the leaders end
	number    float64 // right end of the leaf number
	tag       float64 // left end of type tag
	bar       float64
	predicts  float64
	records   float64 // right end
	like      float64
	withMatch bool
}

func newDrawing(t *tree.Tree, opt TreeOptions) *drawing {
	if opt.ID == "" {
		opt.ID = "tree"
	}
	if opt.Title == "" {
		opt.Title = message.Say("chart.treeTitle").String()
	}
	if opt.Limit <= 0 {
		opt.Limit = MostLeaves
	}
	if opt.Classes == nil {
		opt.Classes = classOrder(t)
	}
	d := &drawing{TreeOptions: opt, t: t, rules: Rules(t), total: t.Nodes[0].Weight()}
	d.count = len(d.rules)
	d.root = outlineOf(t, opt.Limit)
	for _, name := range t.ClassLabels() {
		k := slices.Index(opt.Classes, name)
		if k < 0 || k > mostColours {
			k = mostColours
		}
		d.colour = append(d.colour, k)
	}
	d.withMatch = len(opt.Match) == d.count && len(opt.Types) == d.count
	return d
}

// classOrder returns the class labels by their weight at the root, heaviest first.
func classOrder(t *tree.Tree) []string {
	weight := map[string]float64{}
	names := slices.Clone(t.ClassLabels())
	for k, w := range t.Nodes[0].Counts {
		weight[names[k]] = w
	}
	slices.SortStableFunc(names, func(p, q string) int { return cmp.Compare(weight[q], weight[p]) })
	return names
}

// key names the class colours above the tree.
func (d *drawing) key() {
	x, y := 2.0, 14.0
	names := d.Classes
	if len(names) > mostColours+1 {
		names = append(slices.Clone(names[:mostColours]), Count(float64(len(names)-mostColours))+" other classes")
	}
	for k, name := range names {
		short, _ := faceLabel.distinct(name, 160, names)
		w := 16 + faceLabel.width(short) + 18
		if x > 2 && x+w > 420 {
			x, y = 2, y+18
		}
		d.class(x, y-9, 11, 10, k)
		d.fitted(x+16, y, faceLabel, left, name, 160, names)
		d.width = math.Max(d.width, x+w)
		x += w
	}
	d.top = y + 30
}

// columns places the columns right of a tree whose labels end at the given x, and returns the right end of all.
func (d *drawing) columns(end float64) (width float64) {
	d.leafX = end + 16
	d.number = d.leafX + 4 + math.Max(faceTick.width(strconv.Itoa(d.count)), faceHead.width(head("rule")))
	d.bar = d.number + 8
	if d.Types != nil {
		d.tag, d.bar = d.bar, d.bar+28
	}
	d.predicts = d.bar + leafBar + 8
	widest := faceHead.width(head("predicts"))
	for _, name := range d.t.ClassLabels() {
		short, _ := faceLabel.distinct(name, classMax, d.t.ClassLabels())
		widest = math.Max(widest, faceLabel.width(short))
	}
	d.records = d.predicts + widest + 10 + math.Max(faceHead.width(head("records")),
		faceLabel.width(Count(math.Ceil(d.total))+".0"))
	width = d.records + 4
	if d.withMatch {
		d.like = d.records + 12
		width = d.like + faceHead.width(head("match")) + 4
	}
	d.root.lines(func(p *place) {
		if p.node < 0 {
			width = math.Max(width, d.leafX+8+faceTick.width(furtherText(p, d.total)))
		}
	})
	return width
}

// head is what stands over a column.
func head(of string) string { return message.Say("chart.head." + of).String() }

// heads writes the heads of the columns over a thin rule.
func (d *drawing) heads() {
	y := d.top - 5
	d.text(d.number, y, faceHead, right, head("rule"), "")
	if d.Types != nil {
		d.text(d.tag, y, faceHead, left, head("type"), "")
	}
	d.text(d.bar, y, faceHead, left, head("classes"), "")
	d.text(d.predicts, y, faceHead, left, head("predicts"), "")
	d.text(d.records, y, faceHead, right, head("records"), "")
	if d.withMatch {
		d.text(d.like, y, faceHead, left, head("match"), "")
	}
	var rule strings.Builder
	line(&rule, 2, d.top-.5, d.width-2, d.top-.5)
	d.path(rule.String(), "grid")
}

// branches draws an inner node with the lines to its children, and all below it. The condition that leads to an inner
// node stands above its line, its attribute below; the condition of a leaf stands on the line.
func (d *drawing) branches(p *place) {
	if len(p.kids) == 0 {
		return
	}
	n := &d.t.Nodes[p.node]
	name := d.t.Attrs[n.Attr].Name
	y := p.y + 13
	if p == d.root {
		y = p.y + 4
	}
	d.text(p.x, y, faceNode, left, p.name, message.Say("chart.node").Name("name", name).Amount("n", n.Weight()).String())
	var lines, leaders strings.Builder
	first, last := p.kids[0], p.kids[len(p.kids)-1]
	line(&lines, p.trunk, math.Min(first.y, p.y), p.trunk, math.Max(last.y, p.y))
	if p == d.root {
		line(&lines, p.trunk-4, p.y, p.trunk, p.y)
	}
	for _, k := range p.kids {
		tip := ""
		if k.branch != k.cond {
			tip = name + " " + k.cond
		}
		if len(k.kids) > 0 {
			line(&lines, p.trunk, k.y, k.trunk, k.y)
			d.text(k.x, k.y-4, faceLabel, left, k.branch, tip)
			continue
		}
		line(&lines, p.trunk, k.y, k.x-3, k.y)
		d.text(k.x, k.y+4, faceLabel, left, k.branch, tip)
		if k.trunk+3 < d.leafX-2 {
			line(&leaders, k.trunk+3, k.y, d.leafX-2, k.y)
		}
	}
	d.path(lines.String(), "twig")
	d.path(leaders.String(), "leader")
	for _, k := range p.kids {
		d.branches(k)
	}
}

// line writes what stands right of the tree: a leaf, or how much was left out.
func (d *drawing) line(p *place) {
	if p.node < 0 {
		d.text(d.leafX+6, p.y+4, faceTick, left, furtherText(p, d.total), "")
		return
	}
	n := &d.t.Nodes[p.node]
	if p.node == 0 {
		d.text(p.x, p.y+4, faceLabel, left, p.branch, "")
	}
	label := d.t.ClassLabels()[n.Label]
	d.raw(`<g><title>`, escape(d.tip(p, n, label)), `</title>`)
	d.rect(d.leafX, p.y-treePitch/2, d.width-d.leafX, treePitch, "hit", "")
	d.text(d.number, p.y+4, faceTick, right, strconv.Itoa(p.leaf+1), "")
	if d.Types != nil && p.leaf < len(d.Types) {
		d.typeTag(d.tag, p.y, d.Types[p.leaf])
	}
	d.classBar(n, p.y)
	d.fitted(d.predicts, p.y+4, faceLabel, left, label, classMax, d.t.ClassLabels())
	d.text(d.records, p.y+4, faceLabel, right, Count(n.Weight()), "")
	if d.withMatch {
		if m := d.Match[p.leaf]; m >= 0 {
			d.text(d.like, p.y+4, faceTick, left, strconv.Itoa(m+1), "")
		} else {
			d.text(d.like, p.y+4, faceTick, left, message.Say("chart.noRule").String(), "")
		}
	}
	d.raw(`</g>`)
}

// tip is the rule of a leaf in full.
func (d *drawing) tip(p *place, n *tree.Node, label string) string {
	rule, weight := d.rules[p.leaf], n.Weight()
	if weight == 0 {
		return message.Say("chart.ruleEmpty").Text("rule", rule).Name("class", label).Amount("n", weight).String()
	}
	return message.Say("chart.rule").Text("rule", rule).Name("class", label).Amount("n", weight).
		Share("share", n.Counts[n.Label]/weight).String()
}

func (d *drawing) typeTag(x, y float64, letter byte) {
	d.raw(`<rect x="`, px(x), `" y="`, px(y-7.5), `" width="15" height="15" rx="2" class="t`, escape(string(letter)),
		`"/>`)
	d.text(x+7.5, y+3.7, face{"g g" + string(letter), faceTag.size, true}, middle, string(letter), "")
}

// classBar draws the mix of classes in a leaf.
func (d *drawing) classBar(n *tree.Node, y float64) {
	total := n.Weight()
	if total == 0 {
		d.rect(d.bar, y-5, leafBar, 10, "none", "")
		return
	}
	var mix [mostColours + 1]float64
	for k, w := range n.Counts {
		mix[d.colour[k]] += w
	}
	x := d.bar
	for k, w := range mix {
		if part := w / total * leafBar; part > 0 {
			d.class(x, y-5, part, 10, k)
			x += part
		}
	}
}

func furtherText(p *place, total float64) string {
	share := 0.0
	if total > 0 {
		share = p.weight / total
	}
	if share == 0 {
		return message.Say("chart.furtherEmpty").Count("n", p.further).String()
	}
	return message.Say("chart.further").Count("n", p.further).Share("share", share).String()
}
