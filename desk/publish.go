package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/segment/tree/published"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// PublishRequest asks for a model that is handed out in the place of a table.
type PublishRequest struct {
	Source
	Spending
	Miner     string            // by any of its names
	Set       map[string]string // its parameters
	Saved     string            // path of a tree, as JSON or PMML, that is judged as it is; Miner and Set are then empty
	People    int               // fewer people than these are few
	Counts    bool              // the counts of the nodes are handed out, too
	Model     bool              // the output is a document of any model; else a tree in a form
	Form      string            // of the output: Text, JSON, DOT, SVG or PMML; of a document Text or JSON
	Output    string            // path
	SeedFile  string            // path of the seed of random starts, as in ProtectRequest
	Overwrite bool              // replace an output that exists
}

// Published is what handing out a model came to. It is confidential: what is published is in the file.
type Published struct {
	State    study.State         // the verdict
	Findings *published.Findings // of a tree or a forest; nil where nothing was looked for
	Told     *Told               // of a model of counts; nil where nothing was looked for
	Says     []message.Sentence
}

// Publish learns a model, or reads a tree, and writes it, unless it tells too much of the people that it was learned
// of: a tree or a forest is prepared, then attacked (package published); a tree that was saved is attacked as it is;
// and of a model that says what it tells (mine.Telling) the counts are attacked (package disclosure).
// What has the noise of differential privacy is handed out as it is. Other models are not judged, and not written
// unless limits none were asked for by name. What is not written comes with a *Broken. Cost: that of the miner and of
// the attack.
func (d *Desk) Publish(ctx context.Context, q PublishRequest) (*Published, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	f := &files{reads: append(q.inputs(), q.Saved), seed: q.SeedFile, ledger: q.Ledger, shown: []string{q.Output},
		main: q.Output, replace: q.Overwrite}
	defer f.discard()
	if err := d.check(f); err != nil {
		return nil, err
	}
	p := handing{PublishRequest: &q, out: &Published{State: study.Unjudged}}
	if err := p.learn(ctx, d); err != nil {
		return nil, err
	}
	p.judge()
	if b := p.broken(); b != nil {
		return p.out, b
	}
	if err := f.add(q.Output, p.write); err != nil {
		return nil, err
	}
	return p.out, f.place()
}

// check refuses what cannot be together.
func (q *PublishRequest) check() error {
	switch {
	case q.Output == "":
		return usage(errors.New("a model that is handed out needs a file (-o)"))
	case q.People < 1:
		return number("minimum", q.People, "expected at least 1 person")
	case q.Path == "":
		return usage(errors.New("what a model tells is asked of the table that it was learned of: name that, too"))
	case q.Saved != "" && (q.Miner != "" || len(q.Set) > 0 || q.Ledger != ""):
		return usage(errors.New("a saved tree is judged unchanged; a miner and its parameters are for growing one"))
	case q.Form == SVG && !q.Counts:
		return usage(errors.New("a picture draws the counts: take another form, or hand out the counts (--counts)"))
	case q.Said.Limits != "" && q.Said.Limits != limit.None:
		return &Usage{Field: "limits", Value: q.Said.Limits, Err: errors.New("models are judged by what their leaves, " +
			"tests and counts tell; none lets out what nothing judges")}
	}
	return nil
}

// handing is a request on its way.
type handing struct {
	*PublishRequest
	out     *Published
	l       *Loaded
	miner   mine.Miner
	model   mine.Model
	forest  *tree.Forest // of the model; nil of another one
	public  mine.Model   // the model without what it holds by record; nil of one that does not say what it tells
	private bool         // the model has the noise of differential privacy
	records *table.Table
}

// learn learns the model, or reads it.
func (p *handing) learn(ctx context.Context, d *Desk) (err error) {
	var learner mine.Learner
	if p.Saved == "" {
		if p.miner, learner, err = learnerOf(p.Miner, p.Set); err != nil {
			return err
		}
		if err := p.misspelt(namedBy(learner.Params(), p.Set)...); err != nil {
			return err
		}
	}
	in, _, end, err := p.larger(ctx)
	if err != nil {
		return err
	}
	if in.space != nil {
		return end(tooLarge(nameOf(p.Path), "asking what a model tells"))
	}
	if p.l, err = d.told(ctx, in); err != nil {
		return err
	}
	if p.records, err = p.l.Anonymous(); err != nil {
		return err
	}
	if p.Saved != "" {
		return p.read()
	}
	seed := rng.Fresh()
	if p.SeedFile != "" {
		if seed, err = d.seed(p.SeedFile); err != nil {
			return err
		}
	}
	if p.model, err = d.fit(ctx, p.l, learner, nil, &p.Spending, seed); err != nil {
		return err
	}
	if private, ok := learner.(mine.Private); ok {
		charges, err := private.Charges(p.records)
		if err != nil {
			return err
		}
		p.private = len(charges) > 0
	}
	switch m := p.model.(type) {
	case *tree.Tree:
		p.forest = tree.One(m)
	case *tree.Forest:
		p.forest = m
	default:
		if !p.Model {
			return &Usage{Field: "miner", Value: p.Miner, Err: errors.New("it grows no single tree; \"dither mine model\" " +
				"fits any miner")}
		}
	}
	return nil
}

// read reads a saved tree and gives the records its columns.
func (p *handing) read() error {
	t, err := readTree(p.Saved)
	if err != nil {
		return err
	}
	if p.records, err = p.records.Conform(t.Attrs, true); err != nil {
		return fmt.Errorf("%s: %w", p.Saved, err)
	}
	p.model, p.forest = t, tree.One(t)
	told := p.Counts || t.Nodes[0].Weight() > 0 // those of the file go out with it
	own := *p.PublishRequest
	own.Counts, p.PublishRequest = told, &own
	return nil
}

// judge prepares a forest and looks for what it tells.
func (p *handing) judge() {
	limits := published.Limits{People: p.People, Counts: p.Counts}
	say := func(key string) message.Sentence { return message.Say("models." + key) }
	switch {
	case p.private:
		p.out.State, p.out.Says = study.Meets, []message.Sentence{say("private")}
	case p.forest == nil && p.tells():
	case p.forest == nil:
		p.out.Says = []message.Sentence{say("unasked")}
	default:
		if p.Saved == "" {
			p.forest = published.Prepare(p.forest, p.records, limits)
			if p.model = p.forest; len(p.forest.Trees) == 1 {
				p.model = p.forest.Trees[0]
			}
		}
		f := published.Attack(p.forest, p.records, limits)
		if p.out.Findings, p.out.State = &f, study.Meets; f.Open() > 0 {
			p.out.State = study.Withheld
		}
		p.out.Says = append(p.out.Says, say("leaves").Count("leaves", f.Leaves).Count("trees", f.Trees).
			Count("least", f.Least))
		p.out.Says = append(p.out.Says, p.found()...)
		if p.Counts {
			p.out.Says = append(p.out.Says, say("others"))
		}
	}
	verdict := say("verdict").Part("state", message.Say("state."+document.State(p.out.State).Class()))
	p.out.Says = append([]message.Sentence{verdict}, p.out.Says...)
}

// says says what a model tells of few people.
func (p *handing) says() []message.Sentence {
	if p.out.Told != nil {
		return p.toldOfFew()
	}
	return p.found()
}

// found says what a forest tells of few people.
func (p *handing) found() (out []message.Sentence) {
	f := p.out.Findings
	for _, what := range []struct {
		key string
		n   int
	}{{"small", f.Small}, {"values", f.Values}, {"listed", f.Listed}, {"cells", f.Cells}, {"pure", f.Pure},
		{"differences", f.Differences}} {
		if what.n > 0 {
			out = append(out, message.Say("models."+what.key).Count("n", what.n).Count("people", p.People))
		}
	}
	return out
}

// broken is why the model may not go out; nil where it may.
func (p *handing) broken() *Broken {
	switch {
	case p.out.State == study.Withheld:
		b := &Broken{Verdict: "the model is withheld"}
		for _, s := range p.says() {
			b.Breaches = append(b.Breaches, s.String())
		}
		return b
	case p.out.State == study.Unjudged && p.l.Policy.Limits != limit.None:
		return &Broken{Verdict: "the model is not judged, so it may not go out", Unproven: true,
			Breaches: []string{message.Say("models.unlimited").String()}}
	}
	return nil
}

// write writes the model.
func (p *handing) write(w io.Writer) error {
	if !p.Model {
		return PrintTree(w, p.forest.Trees[0], p.Form)
	}
	m, _, err := describe(p.miner, p.model, p.public == nil)
	if err != nil {
		return err
	}
	if p.public != nil {
		if m.Document.Model, err = json.Marshal(p.public); err != nil {
			return err
		}
	}
	m.Document.Schema = schemaOf("model")
	m.Text = onLines(m.Text, p.l.Table.Attrs())
	return m.Print(w, p.Form == JSON)
}
