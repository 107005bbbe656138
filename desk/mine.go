package desk

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/noisemodel/modelfile"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/segment/tree/pmml"
	"github.com/dither-data/dither/study/judge"
	"github.com/dither-data/dither/table"
)

// MineRequest asks for what a miner finds in a table.
type MineRequest struct {
	Source
	Spending
	Miner string            // by any of its names
	Set   map[string]string // its parameters
	// path of the law of a release: learn what its original was like; empty for the table as it is
	Law       string
	Plan      string // path of the plan of a release instead, for its custodian
	Clusters  bool   // refuse a miner that finds no clusters
	Labels    string // path for row and cluster of every record, as CSV; empty for none
	Output    string // path for what was found; empty for none
	JSON      bool   // the output is the document, not the text
	SeedFile  string // path of the seed of random starts, as in ProtectRequest
	Overwrite bool   // replace outputs that exist
}

// Mined is what a miner found. It names values of the table, so it is as confidential as the table.
type Mined struct {
	Document MinedDocument
	Text     string
}

// MinedDocument is what a miner found: clusters, or any model.
type MinedDocument struct {
	Schema   string       `json:"schema"`
	Miner    string       `json:"miner"`
	Clusters int          `json:"clusters"`      // how many; 0 of a model that clusters no records
	Sizes    []int        `json:"sizes"`         // records by cluster
	Outliers int          `json:"outliers"`      // records in no cluster
	Similar  []mine.Alike `json:"similarValues"` // values of categorical columns that are alike
	// as the miner writes it, each in its own form; null where it would be as long as a table that is larger than memory
	Model json.RawMessage `json:"model"`
}

// Print writes the document or the text.
func (m *Mined) Print(w io.Writer, asJSON bool) error {
	if asJSON {
		return WriteJSON(w, m.Document)
	}
	_, err := io.WriteString(w, m.Text)
	return err
}

// Mine fits a miner to a table and writes what it found. Cost: that of the miner.
func (d *Desk) Mine(ctx context.Context, q MineRequest) (out *Mined, err error) {
	miner, learner, err := learnerOf(q.Miner, q.Set)
	if err == nil {
		err = q.misspelt(namedBy(learner.Params(), q.Set)...)
	}
	if err != nil {
		return nil, err
	}
	law, err := byLaw(miner, learner, q.Law, q.Plan)
	if err != nil {
		return nil, err
	}
	f := q.files()
	defer f.discard()
	if err := d.check(f); err != nil {
		return nil, err
	}
	in, ctx, end, err := q.larger(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = end(err) }()
	if err := in.minable(&miner, law != nil); err != nil {
		return nil, err
	}
	if in.space != nil && q.JSON && q.Clusters {
		return nil, tooLarge(nameOf(q.Path), ofEvery)
	}
	s, err := d.seed(q.SeedFile)
	if err != nil {
		return nil, err
	}
	in.baskets, in.declared = findsPatterns(&miner), bounds(learner.Params(), q.Set)
	l, err := d.told(ctx, in)
	if err != nil {
		return nil, err
	}
	model, err := d.fit(ctx, l, learner, law, &q.Spending, s)
	if err != nil {
		return nil, err
	}
	m, err := q.found(miner, model, l.Table.Attrs(), in.space != nil)
	if err != nil {
		return nil, err
	}
	return m, q.write(f, m, model)
}

// files are those that mining reads and writes.
func (q *MineRequest) files() *files {
	return &files{reads: append(q.inputs(), q.Law), plan: []string{q.Plan}, seed: q.SeedFile, ledger: q.Ledger,
		secret: []string{q.Output, q.Labels}, main: q.Output, replace: q.Overwrite}
}

// found describes a model, and refuses one that is not what was asked for. Larger says that the table does not fit in
// memory: then nothing is as long as the table but the labels.
func (q *MineRequest) found(
	miner mine.Miner,
	model mine.Model,
	attrs []table.Attribute,
	larger bool,
) (*Mined, error) {
	_, clusters := model.(mine.Clusterer)
	switch {
	case q.Labels != "" && !clusters:
		return nil, &Usage{Field: "labels", Value: "", Err: fmt.Errorf("%s clusters values, not records", miner.Name)}
	case larger && q.JSON && clusters:
		return nil, tooLarge(nameOf(q.Path), ofEvery)
	}
	m, found, err := describe(miner, model, !clusters || !larger)
	if err != nil {
		return nil, err
	}
	m.Text = onLines(m.Text, attrs)
	switch {
	case !found && q.Clusters:
		return nil, usage(fmt.Errorf("%s %w", miner.Name, ErrNoClusters))
	case !q.Clusters:
		m.Document.Schema = schemaOf("model")
	}
	return m, nil
}

// write writes what was found, and the clusters of the records where they are asked for.
func (q *MineRequest) write(f *files, m *Mined, model mine.Model) error {
	err := f.add(q.Labels, func(w io.Writer) error { return writeLabels(w, model.(mine.Clusterer).Labels()) })
	if err != nil {
		return err
	}
	if err := f.add(q.Output, func(w io.Writer) error { return m.Print(w, q.JSON) }); err != nil {
		return err
	}
	return f.place()
}

// ofEvery is what is not made of clusters of a table in a space.
const ofEvery = "a document with the cluster of every record (json; labels writes these)"

// learnerOf finds a miner by any of its names and sets its parameters.
func learnerOf(name string, set map[string]string) (mine.Miner, mine.Learner, error) {
	miner, err := catalog.Miner(name)
	if err != nil {
		return miner, nil, usage(err)
	}
	learner := miner.New()
	if err := judge.Settle(learner.Params(), set); err != nil {
		return miner, nil, usage(fmt.Errorf("%s: %w", miner.Name, err))
	}
	return miner, learner, nil
}

// fit fits a miner to a table without its identifiers; the law, if the learner was told one, must be that of the table.
func (d *Desk) fit(
	ctx context.Context,
	l *Loaded,
	learner mine.Learner,
	law *modelfile.Model,
	pay *Spending,
	seed rng.Seed,
) (mine.Model, error) {
	if law != nil {
		if err := ofRelease(law, l); err != nil {
			return nil, err
		}
	}
	t, err := l.Anonymous()
	if err != nil {
		return nil, err
	}
	src := rng.New(seed)
	if private, ok := learner.(mine.Private); ok {
		src = src.Fork(l.File.SHA256) // the noise of another table is another
		if err := d.protects(l, learner.Params()); err != nil {
			return nil, err
		}
		if err := d.pay(pay, private, t, seed, l.File.SHA256); err != nil {
			return nil, fmt.Errorf("%s: %w", l.File.Name, err)
		}
	} else if pay.Ledger != "" {
		return nil, usage(errors.New("nothing is charged to a ledger: the miner is not differentially private"))
	}
	p := d.begin(message.Say("work.mining").Count("n", t.Rows()).String())
	defer p.End()
	m, err := mine.Fit(ctx, learner, t, src)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.File.Name, err)
	}
	if private, ok := learner.(mine.Private); ok {
		m = private.Public(m)
	}
	return m, nil
}

// describe says what a model is, with the model itself where it is whole, and whether it found clusters.
func describe(miner mine.Miner, model mine.Model, whole bool) (out *Mined, found bool, err error) {
	out = &Mined{Document: MinedDocument{Schema: schemaOf("clusters"), Miner: miner.Name}}
	d := &out.Document
	if m, ok := model.(mine.Clusterer); ok {
		found = true
		d.Clusters, d.Sizes = m.Clusters(), make([]int, m.Clusters())
		for _, k := range m.Labels() {
			if k < 0 {
				d.Outliers++
			} else {
				d.Sizes[k]++
			}
		}
	}
	if m, ok := model.(mine.ValueClusterer); ok {
		found = true
		d.Similar = m.Similar()
	}
	switch m := model.(type) {
	case mine.Described:
		out.Text = m.Text()
	case *tree.Forest:
		for k, t := range m.Trees {
			out.Text += fmt.Sprintf("tree %d\n%s\n", k+1, t.Text())
		}
	}
	if whole {
		d.Model, err = json.Marshal(model)
	}
	return out, found, err
}

// onLines returns what a model says with names and labels that stay on their line: one that holds a line end could
// write a line of its own, such as a verdict.
func onLines(text string, attrs []table.Attribute) string {
	var pairs []string
	for _, a := range attrs {
		for _, s := range append([]string{a.Name}, a.Labels...) {
			if plain := report.Printable(s); plain != s && strings.Contains(text, s) {
				pairs = append(pairs, s, plain)
			}
		}
	}
	if len(pairs) == 0 {
		return text
	}
	return strings.NewReplacer(append(pairs, "\x00", "")...).Replace(text)
}

// writeLabels writes row, counted from 1, and cluster, numbered from 0 as in the text, as CSV.
func writeLabels(w io.Writer, labels []int32) error {
	b := bufio.NewWriter(w)
	b.WriteString("row,cluster\n")
	var line []byte
	for i, k := range labels {
		line = append(strconv.AppendInt(line[:0], int64(i+1), 10), ',')
		if k >= 0 {
			line = strconv.AppendInt(line, int64(k), 10)
		}
		b.Write(append(line, '\n'))
	}
	return b.Flush()
}

// The forms a tree is written in.
const (
	Text = "text"
	JSON = "json" // TreeRequest.Saved takes it back
	DOT  = "dot"  // for Graphviz
	SVG  = "svg"
	PMML = "pmml" // which TreeRequest.Saved takes back, too
)

// TreeRequest asks for a decision tree, grown on a table or saved earlier.
type TreeRequest struct {
	Source
	Spending
	Miner string            // by any of its names, one that yields a tree; empty is c45, or byclass with a law
	Set   map[string]string // its parameters
	// path of the law of a release: the tree is one of its original; empty for the table as it is
	Law       string
	Plan      string // path of the plan of a release instead, for its custodian
	Saved     string // path of a tree saved as JSON or PMML; Path and Set are then empty
	Form      string // of the output; empty is Text
	Output    string // path; empty for none
	Overwrite bool   // replace an output that exists
}

// Tree grows or reads a decision tree and writes it, for its owner only: it holds values of the table. Cost: that of
// C4.5.
func (d *Desk) Tree(ctx context.Context, q TreeRequest) (t *tree.Tree, err error) {
	if (q.Path == "") == (q.Saved == "") {
		return nil, usage(errors.New("a tree is grown on a table or was saved, and not both"))
	}
	if q.Saved != "" && (len(q.Set) > 0 || q.Miner != "" || q.Law != "" || q.Plan != "") {
		return nil, usage(errors.New("a saved tree is used unchanged; --miner, --noise-model and parameters only apply to " +
			"growing one"))
	}
	if q.Saved == "" {
		if _, _, _, err := q.learner(); err != nil {
			return nil, err
		}
		if err := q.misspelt(); err != nil {
			return nil, err
		}
	}
	f := &files{
		reads:   append(q.inputs(), q.Saved, q.Law),
		plan:    []string{q.Plan},
		ledger:  q.Ledger,
		secret:  []string{q.Output},
		main:    q.Output,
		replace: q.Overwrite,
	}
	defer f.discard()
	if err := d.check(f); err != nil {
		return nil, err
	}
	if q.Saved != "" {
		t, err = readTree(q.Saved)
	} else {
		t, err = d.grow(ctx, &q)
	}
	if err == nil {
		err = f.add(q.Output, func(w io.Writer) error { return PrintTree(w, t, q.Form) })
	}
	if err != nil {
		return nil, err
	}
	return t, f.place()
}

// learner returns the miner of the tree, its learner, and the law that it was told.
func (q *TreeRequest) learner() (mine.Miner, mine.Learner, *modelfile.Model, error) {
	name := q.Miner
	switch {
	case name != "":
	case q.Law != "" || q.Plan != "":
		name = "byclass"
	default:
		name = "c45"
	}
	miner, learner, err := learnerOf(name, q.Set)
	if err != nil {
		return miner, nil, nil, err
	}
	law, err := byLaw(miner, learner, q.Law, q.Plan)
	return miner, learner, law, err
}

func (d *Desk) grow(ctx context.Context, q *TreeRequest) (_ *tree.Tree, err error) {
	miner, learner, law, err := q.learner()
	if err != nil {
		return nil, err
	}
	in, ctx, end, err := q.larger(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = end(err) }()
	if err := in.minable(&miner, law != nil); err != nil {
		return nil, err
	}
	l, err := d.told(ctx, in)
	if err != nil {
		return nil, err
	}
	if err := l.Learnable(); err != nil {
		return nil, err
	}
	m, err := d.fit(ctx, l, learner, law, &q.Spending, rng.Fresh())
	if err != nil {
		return nil, err
	}
	t, ok := m.(*tree.Tree)
	if !ok {
		return nil, &Usage{Field: "miner", Value: q.Miner, Err: errors.New("it grows no single tree; \"dither mine model\" " +
			"fits any miner")}
	}
	key := "told.tree.plain"
	if law != nil {
		key = "told.tree.law"
	}
	d.note(message.Say(key).Name("class", l.Table.Attr(l.Table.WithRole(table.Class)).Name).Count("n", l.Table.Rows()))
	return t, nil
}

// PrintTree writes a tree in a form.
func PrintTree(w io.Writer, t *tree.Tree, form string) error {
	text := ""
	switch form {
	case JSON:
		return WriteJSON(w, t.File())
	case DOT:
		text = t.DOT()
	case SVG:
		text = string(chart.TreeSVG(t, chart.TreeOptions{}))
	case PMML:
		doc, err := pmml.Write(t)
		if err != nil {
			return err
		}
		text = string(doc)
	case Text, "":
		text = onLines(t.Text(), t.Attrs)
	default:
		return &Usage{Field: "form", Value: form, Err: errors.New("expected text, json, pmml, dot or svg")}
	}
	_, err := io.WriteString(w, text)
	return err
}

func readTree(path string) (*tree.Tree, error) {
	data, err := wholefile.Read(path)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n"), []byte("<")) {
		t, err := pmml.Read(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return t, nil
	}
	t, err := tree.Read(data)
	if err != nil {
		return nil, usage(fmt.Errorf("%s: %w", path, misread(data, err)))
	}
	return t, nil
}
