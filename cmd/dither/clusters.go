package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/tree"
)

type clusterFlags struct {
	input
	miner                 string
	set                   []string
	out, labels, seedFile string
	json, force, any      bool // any: not only clusterings
}

func (a *app) mineClusters() *cobra.Command {
	f := &clusterFlags{}
	c := &cobra.Command{
		Use:   "clusters IN",
		Short: "cluster the records, or the values of categorical attributes",
		Long: `clusters divides the records into groups that are alike (k-means, EX-DETECTIVE, ROCK, QROCK, CORE, COOLCAT), or finds values of
categorical attributes that are alike (DETECTIVE, CACTUS, STIRR), and prints what it found. --labels writes the cluster of every record.
"dither miners" lists the miners and their parameters. What is printed names values of the table: it is as confidential as the table.`,
		Example: `  dither mine clusters adult.csv --set k=4
  dither mine clusters mushroom.csv --miner qrock --set theta=0.8 --labels clusters.csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.runClusters(c.Context(), args[0], f) },
	}
	f.input.flags(c)
	fl := c.Flags()
	fl.StringVar(&f.miner, "miner", "kmeans", "which `miner`: kmeans, exdetective, rock, qrock, core, coolcat, detective, cactus or stirr")
	f.outputFlags(c)
	fl.StringVar(&f.labels, "labels", "", "write row and cluster of every record to this CSV `file`; an outlier has no cluster")
	return c
}

func (a *app) mineModel() *cobra.Command {
	f := &clusterFlags{any: true}
	c := &cobra.Command{
		Use:   "model IN --miner NAME",
		Short: "fit any miner and print what it found",
		Long: `model fits a miner of the catalogue to a table ("dither miners" lists them) and prints what it found: the rank of every value for a class (bore), a
tree from data that multivariate randomised response disguised (mrrtree), a summary of a classifier (naivebayes, knn, neuralnet). What is printed may
name values of the table: it is as confidential as the table.`,
		Example: `  dither mine model heart.csv --class num --miner bore
  dither mine model adult.csv --class income --miner naivebayes --json -o model.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.runClusters(c.Context(), args[0], f) },
	}
	f.input.flags(c)
	fl := c.Flags()
	fl.StringVar(&f.miner, "miner", "", "which `miner`")
	f.outputFlags(c)
	if err := c.MarkFlagRequired("miner"); err != nil {
		panic(err) // the flag is declared above
	}
	return c
}

// outputFlags declares what both verbs take.
func (f *clusterFlags) outputFlags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringArrayVar(&f.set, "set", nil, "set a parameter of the miner: `name=value`; may be repeated (\"dither miners NAME\" lists them)")
	fl.StringVarP(&f.out, "output", "o", "", "write to this `file` instead of printing")
	fl.StringVar(&f.seedFile, "seed-file", "", "read the seed of random starts from this `file`, or write a fresh one there")
	fl.BoolVar(&f.json, "json", false, "as JSON, with the model itself")
	fl.BoolVar(&f.force, "force", false, "overwrite an output that exists")
}

func (a *app) runClusters(ctx context.Context, in string, f *clusterFlags) error {
	if err := distinct(f.out, f.labels, f.seedFile); err != nil {
		return err
	}
	for _, path := range []string{f.out, f.labels} {
		if err := free(path, f.force, in, f.policy, f.seedFile); err != nil {
			return err
		}
	}
	miner, err := catalog.Miner(f.miner)
	if err != nil {
		return usageError{err}
	}
	learner := miner.New()
	set, err := sets(f.set)
	if err != nil {
		return err
	}
	if err := learner.Params().Apply(set); err != nil {
		return usageError{fmt.Errorf("%s: %w", miner.Name, err)}
	}
	s, err := seed(f.seedFile)
	if err != nil {
		return err
	}
	model, err := a.fit(ctx, in, f, learner, rng.New(s))
	if err != nil {
		return err
	}
	groups, ok := model.(mine.Clusterer)
	if f.labels != "" && !ok {
		return usageError{fmt.Errorf("--labels: %s clusters values, not records", miner.Name)}
	}
	doc, ok := describe(miner, model)
	if !ok && !f.any {
		return usageError{fmt.Errorf("%s finds no clusters; \"dither mine --help\" lists what else can be mined", miner.Name)}
	}
	if f.labels != "" {
		if err := whole(f.labels, 0o600, func(w io.Writer) error { return writeLabels(w, groups.Labels()) }); err != nil {
			return err
		}
	}
	if f.any {
		doc.Schema = "dither/model/1"
	}
	print := func(w io.Writer) error {
		if f.json {
			return printJSON(w, doc)
		}
		_, err := io.WriteString(w, doc.text)
		return err
	}
	if f.out == "" {
		return print(a.out)
	}
	return whole(f.out, 0o600, print)
}

// fit reads a table and fits a miner to it.
func (a *app) fit(ctx context.Context, in string, f *clusterFlags, learner mine.Learner, src rng.Source) (mine.Model, error) {
	l, err := a.load(ctx, in, &f.input)
	if err != nil {
		return nil, err
	}
	l.remarks(a)
	t := study.WithoutIdentifiers(l.table)
	if t == nil {
		return nil, fmt.Errorf("%s: every column is an identifier", l.file.Name)
	}
	p := a.progress("mining " + thousands(t.Rows()) + " records")
	defer p.finish()
	m, err := learner.Fit(ctx, t, src)
	if err != nil && !errors.Is(err, context.Canceled) {
		err = fmt.Errorf("%s: %w", l.file.Name, err)
	}
	return m, err
}

// clustering is what is printed of a model.
type clustering struct {
	Schema   string          `json:"schema"`
	Miner    string          `json:"miner"`
	Clusters int             `json:"clusters,omitempty"`
	Sizes    []int           `json:"sizes,omitempty"`
	Outliers int             `json:"outliers,omitempty"`
	Similar  []mine.Alike    `json:"similarValues,omitempty"`
	Model    json.RawMessage `json:"model,omitempty"`
	text     string
}

// describe says what a model found; false when it clusters nothing.
func describe(miner mine.Miner, model mine.Model) (*clustering, bool) {
	d := &clustering{Schema: "dither/clusters/1", Miner: miner.Name}
	found := false
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
		d.text = m.Text()
	case *tree.Forest:
		for k, t := range m.Trees {
			d.text += fmt.Sprintf("tree %d\n%s\n", k+1, t.Text())
		}
	}
	var err error
	d.Model, err = json.Marshal(model)
	return d, found && err == nil
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
