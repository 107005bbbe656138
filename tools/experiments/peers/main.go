// Command peers writes the page docs/peers.md: synthetic tables of dither beside those of other programs, measured by
// dither and by these:
//
//	go run -C tools ./experiments/peers -venv FOLDER
//	go run -C tools ./experiments/peers -venv FOLDER -write ../docs
//
// The programs are installed from PyPI into a virtual environment in the folder, unless it is there. Adult is looked
// for in the folder that DITHER_DATA names and, failing that, in ../shared/data.
package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/system/processor"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/execute"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tools/internal/margins"
	"github.com/dither-data/dither/tools/internal/rerun"
)

var venv = flag.String("venv", "", "virtual environment of Python: a `folder`, made where it is not there")

func main() {
	rerun.Program{Name: "peers", Times: "thousands", Help: "thousands of records that tables are drawn from", Default: 1,
		Print: write}.Main()
}

//go:embed text.md
var text string

//go:embed peers.py
var python []byte

// packages are what is installed: with all that they need, and then those that need deep learning, of which nothing is
// run here.
var packages = [][]string{
	{"anonymeter==1.1.0", "sdmetrics==0.32.0", "copulas", "rdt", "boto3", "cloudpickle", "graphviz", "platformdirs",
		"pyyaml"},
	{"--no-deps", "sdv==2.0.0", "ctgan", "deepecho"},
}

// secret is the column that inference is of.
const secret = "marital_status"

// release is a table of the page.
type release struct {
	title, name string            // of dither a technique, of others the name of its file
	set         map[string]string // parameters; of dither's alone
	peer        bool
}

var private = map[string]string{"epsilon": "1", "domains": "observed"}

var releases = []release{
	{"CART synthesis", "cartsynthesis", nil, false},
	{"Copula synthesis", "copulasynthesis", nil, false},
	{"SDV Gaussian copula", "sdv", nil, true},
	{"Bayesian network", "bayesiannetwork", nil, false},
	{"MST, epsilon 1", "mst", private, false},
	{"PrivBayes, epsilon 1", "privbayes", private, false},
	{"Segment synthesis", "segmentsynthesis", nil, false},
	{"Private segment synthesis, epsilon 1", "privatesegments", private, false},
}

// told is what the programs of others say of one thing.
type told struct {
	Name, Error             string
	Seconds, Figure, Lo, Hi float64
}

// bench is where the tables are.
type bench struct {
	dir, interpreter string
	people, others   *table.Table
	drawn            map[string]told
}

func write(ctx context.Context, p *rerun.Page, thousands int) error {
	if *venv == "" {
		return errors.New("name a folder for the programs of others: -venv FOLDER")
	}
	b := &bench{interpreter: filepath.Join(*venv, "bin", "python"), drawn: map[string]told{}}
	if err := install(ctx, b.interpreter); err != nil {
		return err
	}
	var err error
	if b.dir, err = os.MkdirTemp("", "peers"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if err := b.begin(ctx, 1000*thousands); err != nil {
		return err
	}
	p.WriteString(text)
	fmt.Fprintf(p, "## Adult, %d records, and as many other people\n\n", b.people.Rows())
	p.WriteString("| release | 2-way | 3-way | seconds | SDMetrics | singling out: anonymeter | dither | linkability: " +
		"anonymeter | dither | inference: anonymeter | dither | their seconds | our seconds |\n|---|" +
		strings.Repeat("--:|", 12) + "\n")
	m := margins.Of(b.people, b.others)
	fmt.Fprintf(p, "| another sample of the people | %.3f | %.3f | | | | | | | | | | |\n", m[1], m[2])
	for _, r := range releases {
		if err := b.line(ctx, p, r); err != nil {
			return fmt.Errorf("%s: %w", r.title, err)
		}
	}
	return nil
}

// install makes the virtual environment, unless it is there.
func install(ctx context.Context, interpreter string) error {
	if _, err := os.Stat(interpreter); err == nil {
		return nil
	}
	calls := [][]string{{"python3", "-m", "venv", *venv}}
	for _, list := range packages {
		calls = append(calls, append([]string{interpreter, "-m", "pip", "install", "--quiet"}, list...))
	}
	for _, call := range calls {
		c := exec.CommandContext(ctx, call[0], call[1:]...)
		c.Stderr = os.Stderr
		if err := c.Run(); err != nil {
			return fmt.Errorf("%v: %w", call, err)
		}
	}
	return nil
}

// begin reads the people and as many others, and has the others' programs draw.
func (b *bench) begin(ctx context.Context, rows int) error {
	t, err := rerun.Read(ctx, "adult/adult.csv")
	if err != nil {
		return err
	}
	if t, err = rerun.Classed(t, "income"); err != nil {
		return err
	}
	mixed := t.Gather(t.Drawn(2*rows, rng.New([32]byte{3})))
	b.people, b.others = mixed.Slice(0, rows).From(0), mixed.Slice(rows, mixed.Rows()).From(0)
	files := map[string]*table.Table{"people.csv": b.people, "others.csv": b.others}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if _, err := format.Write(ctx, b.at(name), files[name], format.Options{}); err != nil {
			return err
		}
	}
	if err := os.WriteFile(b.at("peers.py"), python, 0o600); err != nil {
		return err
	}
	list, err := b.ask(ctx, "draw", b.at("people.csv"), b.dir)
	for _, d := range list {
		b.drawn[d.Name] = d
	}
	return err
}

func (b *bench) at(name string) string { return filepath.Join(b.dir, name) }

// ask runs the programs of others.
func (b *bench) ask(ctx context.Context, args ...string) (out []told, err error) {
	c := exec.CommandContext(ctx, b.interpreter, append([]string{b.at("peers.py")}, args...)...)
	c.Stderr = os.Stderr
	text, err := c.Output()
	for line := range bytes.Lines(text) {
		var d told
		if json.Unmarshal(line, &d) == nil { // they print other lines, too
			out = append(out, d)
		}
	}
	return out, err
}

// line prints what is found of a release.
func (b *bench) line(ctx context.Context, p *rerun.Page, r release) error {
	made, seconds, err := b.made(ctx, r)
	if err != nil {
		fmt.Fprintf(p, "| %s | not made: %v | | | | | | | | | | | |\n", r.title, err)
		return ctx.Err()
	}
	m := margins.Of(b.people, made)
	fmt.Fprintf(p, "| %s | %.3f | %.3f | %.2f |", r.title, m[1], m[2], seconds)
	list, err := b.ask(ctx, "measure", b.at("people.csv"), b.at("others.csv"), secret, b.at(r.name+".csv"))
	if err != nil {
		return err
	}
	theirs := map[string]told{}
	for _, d := range list {
		theirs[d.Name] = d
	}
	fmt.Fprintf(p, " %s |", theirs["quality"].shown(1, 3))
	spent, taken := 0.0, 0.0
	for _, name := range []string{"singlingout", "linkability", "inference"} {
		begun := processor.Seconds()
		own, err := b.attacked(ctx, name, made)
		if err != nil {
			return err
		}
		spent, taken = spent+processor.Seconds()-begun, taken+theirs[name].Seconds
		fmt.Fprintf(p, " %s | %s |", theirs[name].shown(100, 1), own.shown(100, 1))
	}
	fmt.Fprintf(p, " %.1f | %.2f |\n", taken, spent)
	return nil
}

// shown is a figure with its interval, or why there is none.
func (d told) shown(times float64, digits int) string {
	switch {
	case d.Error != "" || d.Name == "":
		return cmp.Or(d.Error, "none")
	case d.Lo == d.Hi:
		return fmt.Sprintf("%.*f", digits, times*d.Figure)
	}
	return fmt.Sprintf("%.*f (%.*f to %.*f)", digits, times*d.Figure, digits, times*d.Lo, digits, times*d.Hi)
}

// made is a release, in the schema of the original, and the seconds that it took.
func (b *bench) made(ctx context.Context, r release) (*table.Table, float64, error) {
	if r.peer {
		d := b.drawn[r.name]
		if d.Error != "" || d.Name == "" {
			return nil, 0, errors.New(cmp.Or(d.Error, "nothing was drawn"))
		}
		t, _, err := format.Read(ctx, b.at(r.name+".csv"), format.Options{})
		if err != nil {
			return nil, 0, err
		}
		if t, err = rerun.Classed(t, "income"); err == nil {
			t, err = t.Conform(b.people.Attrs(), true)
		}
		return t, d.Seconds, err
	}
	m, err := catalog.Method(r.name)
	if err != nil {
		return nil, 0, err
	}
	tech, src := m.New(), rng.New([32]byte{4})
	if err := tech.Params().Apply(r.set); err != nil {
		return nil, 0, err
	}
	begun := processor.Seconds()
	plan, err := protect.Fit(ctx, tech, b.people, src.Fork("fit"))
	if err != nil {
		return nil, 0, err
	}
	made, err := execute.Plan(ctx, plan, b.people, src, execute.Options{KeepOrder: true})
	if err != nil {
		return nil, 0, err
	}
	seconds := processor.Seconds() - begun
	_, err = format.Write(ctx, b.at(r.name+".csv"), made.Table, format.Options{})
	return made.Table, seconds, err
}

// attacked takes a measure of dither.
func (b *bench) attacked(ctx context.Context, name string, made *table.Table) (told, error) {
	m, err := catalog.Measure(name)
	if err != nil {
		return told{}, err
	}
	who := intruder.Intruder{Name: "knows all but one", Knows: []string{intruder.All}, Secret: []string{secret}}
	rel := &measure.Release{Original: b.people, Released: made, Holdout: b.others}
	out, err := study.Evaluate(ctx, rel, []study.Spec{{Measure: m, Intruder: &who}}, rng.New([32]byte{5}), nil)
	if err != nil {
		return told{}, err
	}
	v := out[0].Value
	return told{Name: name, Error: out[0].Err.String(), Figure: v.Score, Lo: v.Lo, Hi: v.Hi}, nil
}
