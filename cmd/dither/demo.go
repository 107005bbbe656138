package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

func (a *app) demo() *cobra.Command {
	dir := "dither-demo"
	c := &cobra.Command{
		Use:   "demo",
		Short: "run the whole pipeline on a made-up hospital table",
		Long: `demo makes a table of invented patients, shows its risk, protects it, evaluates the release on patients that were held
out, and writes a report. Its files are in ./dither-demo; running it again replaces them.`,
		Example: "  dither demo\n  dither demo --dir /tmp/try",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return a.runDemo(c.Context(), dir) },
	}
	c.Flags().StringVar(&dir, "dir", dir, "write to this `folder`")
	return c
}

func (a *app) runDemo(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	g, err := generate.Find("patients")
	if err != nil {
		return err
	}
	rows := g.Rows
	// The patients are invented and always the same; only the noise on them is secret.
	t := g.New(rows+rows/5, rng.New([32]byte{}))
	class := t.Attr(t.WithRole(table.Class)).Name
	say(a.out, "1. %s invented patients (%s) and %s more held out (%s)\n", thousands(rows), in("patients.csv"), thousands(rows/5), in("holdout.csv"))
	if _, err := format.Write(ctx, in("patients.csv"), t.Slice(0, rows), format.Options{}); err != nil {
		return err
	}
	if _, err := format.Write(ctx, in("holdout.csv"), t.Slice(rows, t.Rows()), format.Options{}); err != nil {
		return err
	}
	say(a.out, "2. dither inspect %s --class %s\n", in("patients.csv"), class)
	if err := a.runInspect(ctx, in("patients.csv"), &inspectFlags{input: input{class: class}}); err != nil {
		return err
	}
	say(a.out, "\n3. dither protect %s --class %s -o %s --report %s\n", in("patients.csv"), class, in("release.csv"), in("report.html"))
	p := &protectFlags{input: input{class: class}, out: in("release.csv"), report: in("report.html"), planOut: in("plan.json"), force: true}
	if err := a.runProtect(ctx, in("patients.csv"), p); err != nil {
		return err
	}
	say(a.out, "\n4. dither evaluate %s %s --class %s --measure accuracy --holdout %s --plan %s\n", in("patients.csv"), in("release.csv"), class, in("holdout.csv"), in("plan.json"))
	e := &evaluateFlags{input: input{class: class}, measures: []string{"accuracy"}, holdout: in("holdout.csv"), plan: in("plan.json")}
	if err := a.runEvaluate(ctx, in("patients.csv"), in("release.csv"), e); err != nil {
		return err
	}
	say(a.out, "open %s in a browser to see what was done and what survived", in("report.html"))
	return nil
}
