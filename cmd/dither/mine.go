package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/text/bytesize"
)

// mine is the verb of all that mines a table, for these arguments behind it.
func (a *app) mine(args []string) *cobra.Command {
	c := &cobra.Command{
		Use:   "mine",
		Short: "mine a table: decision trees, itemsets, association rules, clusters, counts, quantiles, any model",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	for _, v := range called([]verb{{"", "tree", a.mineTree}, {"", "itemsets", a.mineItemsets}, {"", "rules", a.mineRules},
		{"", "clusters", a.mineClusters}, {"", "model", a.mineModel}, {"", "counts", a.mineCounts},
		{"", "quantiles", a.mineQuantiles}}, args) {
		c.AddCommand(v.make())
	}
	return c
}

type treeFlags struct {
	said
	desk.TreeRequest
	publishFlags
	set                  []string
	labels               string
	memory               bytesize.Size
	json, dot, svg, pmml bool
}

func (a *app) mineTree() *cobra.Command {
	f := &treeFlags{}
	c := &cobra.Command{
		Use:   "tree IN --class CLASS",
		Short: "grow a decision tree, also from a randomised release, or classify records with one",
		Long: `tree grows a decision tree (C4.5 release 8, with See5's variants as parameters) and prints it as
text, JSON, PMML, DOT or SVG.

--noise-model takes IN as a randomised release and grows a tree of its original, using the published
noise model (protect --noise-model-out): with the miner byclass, or local, global or mrrtree
(--miner). Use such a tree on records that are not randomised.

--read without IN prints a tree that was saved as JSON, or as PMML by any program. With IN it
classifies the records of that table and says how many of those with a known class it gets right;
--labels writes the predicted class of every record.`,
		Example: `  dither mine tree adult.csv --class income --set minLeaf=200
  dither mine tree release.csv --noise-model noise.json --miner byclass --class group
  dither mine tree adult.csv --class income --set minLeaf=200 --svg -o tree.svg
  dither mine tree adult.csv --class income --pmml -o tree.pmml
  dither mine tree new.csv --read tree.pmml --labels classes.csv`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.runTree(c.Context(), args, f) },
	}
	f.declare(c)
	fl := c.Flags()
	fl.StringVar(&f.Miner, "miner", "", "which `miner`: c45, privatetree, byclass, local, global, randomised or mrrtree "+
		"(default: c45, with a noise model byclass)")
	lawFlags(c, &f.Law, &f.Plan)
	spendingFlags(c, &f.Spending)
	fl.StringArrayVar(&f.set, "set", nil, "set a parameter of the learner: `name=value`; may be repeated (\"dither "+
		"miners c45\" lists them)")
	fl.StringVarP(&f.Output, "output", "o", "", "write to this `file` instead of printing")
	fl.StringVar(&f.Saved, "read", "", "read the tree from this `file` (JSON, or PMML of any program) instead of "+
		"growing one; with IN, classify its records")
	fl.StringVar(&f.labels, "labels", "", "with --read and IN: write the row and class of every record to this CSV `file`")
	fl.BoolVar(&f.json, "json", false, "print JSON, which --read can read")
	fl.BoolVar(&f.pmml, "pmml", false, "print PMML 4.4, for other programs")
	fl.BoolVar(&f.dot, "dot", false, "print Graphviz DOT")
	fl.BoolVar(&f.svg, "svg", false, "print SVG")
	fl.BoolVar(&f.Overwrite, "force", false, "overwrite an output that exists")
	memoryFlag(c, &f.memory)
	f.publishFlags.offer(c, &f.Limits)
	return c
}

// lawFlags declares where the law of a release is.
func lawFlags(c *cobra.Command, law, plan *string) {
	c.Flags().StringVar(law, "noise-model", "", "IN is a randomised release: learn from it with the noise model in this "+
		"`file`")
	c.Flags().StringVar(plan, "plan", "", "the same with the `plan` of the release, for its custodian")
	c.MarkFlagsMutuallyExclusive("noise-model", "plan")
}

// request is what the flags ask for.
func (f *treeFlags) request(args []string) (q desk.TreeRequest, err error) {
	q = f.TreeRequest
	forms := f.forms()
	if err := f.check(len(args) > 0, forms); err != nil {
		return q, err
	}
	if len(forms) > 0 {
		q.Form = forms[0]
	}
	if q.Set, err = sets(f.set); err != nil || len(args) == 0 {
		return q, err
	}
	q.Source, err = f.source(args[0])
	q.Memory = int64(f.memory)
	allow(f.memory)
	return q, err
}

// forms are those in which a tree is asked for.
func (f *treeFlags) forms() (out []string) {
	for _, form := range []struct {
		asked bool
		name  string
	}{{f.json, desk.JSON}, {f.dot, desk.DOT}, {f.svg, desk.SVG}, {f.pmml, desk.PMML}} {
		if form.asked {
			out = append(out, form.name)
		}
	}
	return out
}

// check refuses flags that do not go together; table says whether one is named.
func (f *treeFlags) check(table bool, forms []string) error {
	saved := f.Saved != ""
	switch {
	case !table && !saved:
		return wrong("tree: name a table, or a saved tree with --read")
	case f.labels != "" && !(table && saved):
		return wrong("tree: --labels is for a table whose records a saved tree classifies (--read)")
	case f.memory > 0 && saved:
		return wrong("tree: --memory is for growing a tree; a saved one classifies a table in memory")
	case table && saved && (f.pmml || f.dot || f.svg):
		return wrong("tree: --pmml, --dot and --svg print a tree; leave out the table")
	case len(forms) > 1:
		return wrong("tree: use one of --json, --pmml, --dot and --svg")
	case saved && (len(f.set) > 0 || f.Miner != "" || f.Law != "" || f.Plan != ""):
		return wrong("tree: --set, --miner, --noise-model and --plan are for growing a tree; --read reads a finished one")
	}
	return nil
}

func (a *app) runTree(ctx context.Context, args []string, f *treeFlags) error {
	q, err := f.request(args)
	if err != nil {
		return err
	}
	if f.publish {
		return a.runPublish(ctx, &f.publishFlags, desk.PublishRequest{Source: q.Source, Spending: q.Spending,
			Miner: q.Miner, Set: q.Set, Saved: q.Saved, Form: q.Form, Output: q.Output, Overwrite: q.Overwrite})
	}
	if q.Saved != "" && len(args) == 1 {
		c, err := a.desk().Classify(
			ctx,
			desk.ClassifyRequest{
				Source:    q.Source,
				Saved:     q.Saved,
				Labels:    f.labels,
				Output:    q.Output,
				JSON:      f.json,
				Overwrite: q.Overwrite,
			},
		)
		if err != nil || q.Output != "" {
			return err
		}
		return c.Print(a.out, f.json)
	}
	t, err := a.desk().Tree(ctx, q)
	if err != nil || q.Output != "" {
		return err
	}
	return desk.PrintTree(a.out, t, q.Form)
}

type minerFlags struct {
	said
	desk.MineRequest
	publishFlags
	set    []string
	memory bytesize.Size
}

func (a *app) mineClusters() *cobra.Command {
	f := &minerFlags{MineRequest: desk.MineRequest{Clusters: true}}
	c := &cobra.Command{
		Use:   "clusters IN",
		Short: "cluster the records, or the values of categorical attributes",
		Long: `clusters groups similar records (k-means, EX-DETECTIVE, ROCK, QROCK, CORE, COOLCAT) or similar
values of categorical attributes (DETECTIVE, CACTUS, STIRR), and prints the result. --labels
writes the cluster of every record. "dither miners" lists the miners and their parameters. The
output contains values of the table: it is as confidential as the table.`,
		Example: `  dither mine clusters adult.csv --set k=4
  dither mine clusters mushroom.csv --miner qrock --set theta=0.8 --labels clusters.csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.runMiner(c.Context(), args[0], f) },
	}
	fl := c.Flags()
	fl.StringVar(&f.Miner, "miner", "kmeans", "which `miner`: kmeans, exdetective, rock, qrock, core, coolcat, "+
		"limbo, detective, cactus or stirr")
	fl.StringVar(&f.Labels, "labels", "", "write the row and cluster of every record to this CSV `file`; outliers have "+
		"no cluster")
	f.declare(c)
	return c
}

func (a *app) mineModel() *cobra.Command {
	f := &minerFlags{}
	c := &cobra.Command{
		Use:   "model IN --miner NAME",
		Short: "fit any miner and print what it found",
		Long: `model fits any miner of the catalogue to a table ("dither miners" lists them) and prints what it
found: the rank of every value for a class (bore), a tree from data disguised by multivariate
randomised response (mrrtree), a summary of a classifier (naivebayes, knn, neuralnet). The output
may contain values of the table: it is as confidential as the table.

--noise-model takes IN as a randomised release; miners that support it (naivebayes, byclass, local,
global, mrrtree) learn a model of its original.`,
		Example: `  dither mine model heart.csv --class num --miner bore
  dither mine model release.csv --noise-model noise.json --class group --miner naivebayes
  dither mine model adult.csv --class income --miner naivebayes --json -o model.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.runMiner(c.Context(), args[0], f) },
	}
	c.Flags().StringVar(&f.Miner, "miner", "", "which `miner`")
	lawFlags(c, &f.Law, &f.Plan)
	spendingFlags(c, &f.Spending)
	f.declare(c)
	f.publishFlags.offer(c, &f.Limits)
	return c
}

// declare declares what both verbs take.
func (f *minerFlags) declare(c *cobra.Command) {
	f.said.declare(c)
	fl := c.Flags()
	fl.StringArrayVar(&f.set, "set", nil, "set a parameter of the miner: `name=value`; may be repeated (\"dither miners "+
		"NAME\" lists them)")
	fl.StringVarP(&f.Output, "output", "o", "", "write to this `file` instead of printing")
	fl.StringVar(&f.SeedFile, "seed-file", "", "read the seed of random starts from this `file`, or write a new one there")
	fl.BoolVar(&f.JSON, "json", false, "print JSON, with the model itself")
	fl.BoolVar(&f.Overwrite, "force", false, "overwrite an output that exists")
	memoryFlag(c, &f.memory)
}

func (a *app) runMiner(ctx context.Context, in string, f *minerFlags) (err error) {
	q := f.MineRequest
	if q.Miner == "" {
		return wrong("model: name the miner with --miner NAME; \"dither miners\" lists them")
	}
	if q.Source, err = f.source(in); err != nil {
		return err
	}
	if q.Set, err = sets(f.set); err != nil {
		return err
	}
	q.Memory = int64(f.memory)
	allow(f.memory)
	if f.publish {
		form := desk.Text
		if q.JSON {
			form = desk.JSON
		}
		return a.runPublish(ctx, &f.publishFlags, desk.PublishRequest{Source: q.Source, Spending: q.Spending,
			Miner: q.Miner, Set: q.Set, SeedFile: q.SeedFile, Model: true, Form: form, Output: q.Output,
			Overwrite: q.Overwrite})
	}
	m, err := a.desk().Mine(ctx, q)
	if err != nil || q.Output != "" {
		return err
	}
	return m.Print(a.out, q.JSON)
}
