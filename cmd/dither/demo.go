package main

import (
	"context"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/policy"
)

func (a *app) demo() *cobra.Command {
	dir := "dither-demo"
	c := &cobra.Command{
		Use:   "demo",
		Short: "run the whole pipeline on a made-up hospital table",
		Long: `demo makes a table of made-up patients, shows its risk, protects it, evaluates the release on
patients that were held out, and draws a map of what other techniques lose and risk. Its files are
in ./dither-demo; running it again replaces them.`,
		Example: "  dither demo\n  dither demo --dir /tmp/try",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return a.runDemo(c.Context(), dir) },
	}
	c.Flags().StringVar(&dir, "dir", dir, "write to this `folder`")
	return c
}

func (a *app) runDemo(ctx context.Context, dir string) error {
	e, err := desk.NewExample(ctx, dir)
	if err != nil {
		return err
	}
	classed := said{Policy: policy.Policy{Class: e.Class}}
	say(a.out, "1. %s invented patients (%s) and %s more held out (%s)\n", thousands(e.Records), e.Table,
		thousands(e.HeldOut), e.Holdout)
	say(a.out, "2. dither inspect %s --class %s\n", e.Table, e.Class)
	if err := a.runInspect(ctx, e.Table, &inspectFlags{said: classed}); err != nil {
		return err
	}
	say(a.out, "\n3. dither protect %s --class %s -o %s --report %s --plan-out %s\n", e.Table, e.Class, e.Release,
		e.Report, e.Plan)
	p := desk.ProtectRequest{Release: e.Release, Report: e.Report, PlanOut: e.Plan, Overwrite: true}
	if err := a.runProtect(ctx, e.Table, &protectFlags{said: classed, ProtectRequest: p}); err != nil {
		return err
	}
	say(a.out, "\n4. dither evaluate %s %s --class %s --measure accuracy --measure found --holdout %s --plan %s\n",
		e.Table, e.Release, e.Class, e.Holdout, e.Plan)
	v := desk.EvaluateRequest{Measures: []string{"accuracy", "found"}, Holdout: e.Holdout, Plan: e.Plan}
	if err := a.runEvaluate(ctx, []string{e.Table, e.Release}, &evaluateFlags{said: classed,
		EvaluateRequest: v}); err != nil {
		return err
	}
	if err := a.demoMap(ctx, e, classed); err != nil {
		return err
	}
	say(a.out, "\nThe report says what was done and what survived, the map what else could have been done:")
	for _, path := range []string{e.Report, e.Map} {
		say(a.out, "  %s %s", opener(), path)
	}
	return nil
}

// demoMap draws what some techniques lose against how many people are found.
func (a *app) demoMap(ctx context.Context, e *desk.Example, classed said) error {
	methods := []string{desk.DefaultMethod, "framework", "rankswap", "mdav"}
	measures := []string{"accuracy", "found"}
	say(a.out, "\n5. dither compare %s --class %s --method %s --measure %s --folds 2 --repeats 1 --report %s\n", e.Table,
		e.Class, strings.Join(methods, ","), strings.Join(measures, ","), e.Map)
	c := desk.CompareRequest{Methods: methods, Measures: measures, Folds: 2, Repeats: 1, Report: e.Map, Overwrite: true}
	return a.runCompare(ctx, []string{e.Table}, &compareFlags{said: classed, CompareRequest: c})
}

// opener is the command of this system that shows a file in a browser.
func opener() string {
	switch runtime.GOOS {
	case "windows":
		return "start"
	case "darwin":
		return "open"
	}
	return "xdg-open"
}
