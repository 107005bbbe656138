package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/report/chart"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tree"
)

func (a *app) mine() *cobra.Command {
	c := &cobra.Command{
		Use:   "mine",
		Short: "mine a table: decision trees, clusters, any model",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.mineTree(), a.mineClusters(), a.mineModel())
	return c
}

type mineFlags struct {
	input
	set            []string
	out, from      string
	json, dot, svg bool
	force          bool
}

func (a *app) mineTree() *cobra.Command {
	f := &mineFlags{}
	c := &cobra.Command{
		Use:   "tree IN --class CLASS",
		Short: "grow a C4.5 decision tree",
		Long: `tree grows a decision tree (C4.5 release 8, with See5's variants as parameters) and prints it as text, JSON, DOT or SVG.
--read prints a tree that was saved as JSON; IN is then left out.`,
		Example: `  dither mine tree adult.csv --class income --set minLeaf=200
  dither mine tree adult.csv --class income --set minLeaf=200 --svg -o tree.svg`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.runTree(c.Context(), args, f) },
	}
	f.input.flags(c)
	fl := c.Flags()
	fl.StringArrayVar(&f.set, "set", nil, "set a parameter of the learner: `name=value`; may be repeated (\"dither miners c45\" lists them)")
	fl.StringVarP(&f.out, "output", "o", "", "write to this `file` instead of printing")
	fl.StringVar(&f.from, "read", "", "read the tree from this JSON `file` instead of growing one")
	fl.BoolVar(&f.json, "json", false, "as JSON, which --read takes back")
	fl.BoolVar(&f.dot, "dot", false, "as Graphviz DOT")
	fl.BoolVar(&f.svg, "svg", false, "as SVG")
	fl.BoolVar(&f.force, "force", false, "overwrite an output that exists")
	return c
}

func (a *app) runTree(ctx context.Context, args []string, f *mineFlags) error {
	if (len(args) == 1) == (f.from != "") {
		return usageError{errors.New("tree: name one table, or a saved tree with --read")}
	}
	if f.json && f.dot || f.json && f.svg || f.dot && f.svg {
		return usageError{errors.New("tree: --json, --dot and --svg exclude each other")}
	}
	if f.from != "" && len(f.set) > 0 {
		return usageError{errors.New("tree: --set is for growing a tree; --read takes one as it is")}
	}
	if err := free(f.out, f.force, append(args, f.policy, f.from)...); err != nil {
		return err
	}
	var t *tree.Tree
	var err error
	if f.from != "" {
		t, err = readTree(f.from)
	} else {
		t, err = a.growTree(ctx, args[0], f)
	}
	if err != nil {
		return err
	}
	if f.out == "" {
		return f.print(a.out, t)
	}
	return whole(f.out, 0o644, func(w io.Writer) error { return f.print(w, t) })
}

func (a *app) growTree(ctx context.Context, in string, f *mineFlags) (*tree.Tree, error) {
	miner, err := catalog.Miner("c45")
	if err != nil {
		return nil, err
	}
	learner := miner.New()
	set, err := sets(f.set)
	if err != nil {
		return nil, err
	}
	if err := learner.Params().Apply(set); err != nil {
		return nil, usageError{fmt.Errorf("c45: %w", err)}
	}
	l, err := a.load(ctx, in, &f.input)
	if err != nil {
		return nil, err
	}
	l.remarks(a)
	if err := l.learnable(); err != nil {
		return nil, err
	}
	t := study.WithoutIdentifiers(l.table)
	if t == nil {
		return nil, fmt.Errorf("%s: every column is an identifier", l.file.Name)
	}
	say(a.err, "note: the class is %s; the tree is grown on %s records", t.Attr(max(0, t.WithRole(table.Class))).Name, thousands(t.Rows()))
	m, err := learner.Fit(ctx, t, rng.New(rng.Fresh()))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.file.Name, err)
	}
	return m.(*tree.Tree), nil
}

func (f *mineFlags) print(w io.Writer, t *tree.Tree) error {
	switch {
	case f.json:
		return printJSON(w, t)
	case f.dot:
		_, err := io.WriteString(w, t.DOT())
		return err
	case f.svg:
		_, err := io.WriteString(w, chart.TreeSVG(t, chart.TreeOptions{}))
		return err
	}
	_, err := io.WriteString(w, t.Text())
	return err
}

func readTree(path string) (*tree.Tree, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t := &tree.Tree{}
	if err := json.Unmarshal(data, t); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}
