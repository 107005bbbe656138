package report

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/study"
)

// page is what the template shows, every text ready to be read.
type page struct {
	CSS       template.CSS
	Title     string
	Kicker    string
	Headline  string
	Deck      []string
	Generated string
	Public    bool

	Figures   []figure
	Accuracy  []accuracyRow
	Classify  []quartileSection // never in the public version
	Holdout   bool              // the accuracy table has a column for it
	Risks     *risks            // never in the public version
	Measures  []measureGroup
	RiskTable *riskTable // never in the public version
	Failed    []fact     // measures that could not be taken, with the reason
	Columns   columns
	Biases    []biasRow
	Correlate *correlations
	Trees     *trees
	Clusters  *clusters
	Notes     []string // remarks of the technique; never in the public version
	Corrected []string // how to correct for the noise; never in the public version
	Limits    []string
	Method    []fact
	Params    []fact
	Files     []fileRow
	Origin    []fact
}

// fact is a name with what there is to say about it.
type fact struct{ Name, Text string }

// fileRow is a table that was read or written.
type fileRow struct{ What, Name, Rows, Columns, SHA256 string }

func newPage(o *study.Outcome, opt Options) *page {
	p := &page{Public: opt.Public, Title: opt.Title, Kicker: "Internal report · confidential"}
	for _, l := range o.NotProtected {
		p.Limits = append(p.Limits, sentence(l))
	}
	if opt.Public {
		p.Kicker = "Report for the users of the release"
	}
	if !opt.Generated.IsZero() {
		p.Generated = opt.Generated.Format("2 January 2006, 15:04 MST")
	}
	p.headline(o)
	if p.Title == "" {
		p.Title = p.Headline
	}
	p.Figures = figures(o, opt.Public)
	p.Measures = measureGroups(o, opt.Public)
	p.Columns = columnsOf(o, opt.Public)
	p.Clusters = clustersOf(o, opt.Public)
	p.files(o)
	if o.Method != nil {
		p.method(o)
	}
	p.Origin = append(p.Origin, fact{"dither", orUnknown(o.Version)})
	if opt.Public {
		return p
	}
	if o.Commitment != "" {
		p.Origin = append(p.Origin, fact{"Seed commitment", o.Commitment})
	}
	for _, v := range o.Params {
		p.Params = append(p.Params, fact{v.Name, strings.TrimSpace(parameter(v.Value) + " " + v.Unit)})
	}
	for _, n := range o.Notes {
		p.Notes = append(p.Notes, sentence(n))
	}
	for _, c := range o.Corrections {
		p.Corrected = append(p.Corrected, sentence(c))
	}
	attacks := study.Attacks(o, mostAtRisk)
	p.Risks, p.RiskTable, p.Failed = risksOf(o, attacks), riskTableOf(o, attacks), unmeasured(o.Measures)
	p.Accuracy, p.Holdout = accuracyRows(o)
	p.Classify = classifiers(o)
	p.Biases = biasRows(o)
	p.Correlate = correlationsOf(o)
	p.Trees = treesOf(o)
	return p
}

func (p *page) headline(o *study.Outcome) {
	records := counted(o.Released.Rows(), "record")
	if o.Method == nil {
		p.Headline = records + " of a release, examined"
		p.Deck = []string{"The release was made elsewhere; its technique is not known to this report."}
	} else {
		p.Headline = records + ", released by " + o.Method.Title
		p.Deck = []string{sentence(o.Method.Summary), "Published in " + sentence(o.Method.Paper)}
	}
	if !p.Public && o.OriginalFile.Name != "" && o.ReleasedFile.Name != "" {
		p.Deck = append(p.Deck, "The original is "+o.OriginalFile.Name+", the release "+o.ReleasedFile.Name+".")
	}
}

// method says what the technique does to the data, in the card's words.
func (p *page) method(o *study.Outcome) {
	c := o.Method
	p.Method = []fact{{"Technique", c.Title}, {"Source", c.Paper}, {"What it preserves", c.Preserves}, {"Where it is biased", c.Biases},
		{"Missing values", c.Missing}}
	if !p.Public {
		p.Method = append(p.Method, fact{"What an informed intruder still learns", c.Exposes}, fact{"Cost", c.Cost})
	}
	kept := p.Method[:0]
	for _, f := range p.Method {
		if f.Text != "" {
			kept = append(kept, f)
		}
	}
	p.Method = kept
}

func (p *page) files(o *study.Outcome) {
	add := func(what string, f study.File) {
		p.Files = append(p.Files, fileRow{what, orUnknown(f.Name), chart.Count(float64(f.Rows)), chart.Count(float64(f.Columns)), f.SHA256})
	}
	if !p.Public {
		add("Original", o.OriginalFile)
	}
	add("Released", o.ReleasedFile)
	if o.HoldoutFile != nil && !p.Public {
		add("Hold-out", *o.HoldoutFile)
	}
}

// parameter writes a parameter's value as it is set, an empty one as a dash.
func parameter(v any) string {
	if s := fmt.Sprint(v); s != "" {
		return s
	}
	return "–"
}

func counted(n int, noun string) string {
	return numeral.Counted(n, noun)
}

// sentence gives a text a capital and a full stop.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return s
	}
	r := []rune(s)
	s = strings.ToUpper(string(r[:1])) + string(r[1:])
	if strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

func orUnknown(s string) string {
	if s == "" {
		return "not known"
	}
	return s
}
