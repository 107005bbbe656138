package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/docs/internal/rerun"
	"github.com/dither-data/dither/internal/dataset"
	"github.com/dither-data/dither/internal/numeral"
)

// secrets are what is hidden in the walk through the hiding techniques: rules of votes.
const secrets = "physician_fee_freeze=n=>class=democrat\nel_salvador_aid=y=>class=republican\nreligious_groups_in_schools=y,crime=y=>class=republican\n"

// hidingLimits are what a release must keep there: nothing that was to be hidden is found.
const hidingLimits = "name: hiding\nsource: the owner of the rules\nlimits:\n  - {measure: patterns, max: 0}\n  - {measure: hidingfailure, max: 0}\n"

// walk goes through the three steps of Nai Fovino & Masera (2008, section 6.1) for the techniques that hide, and for a table.
func (w work) walk(ctx context.Context, p *rerun.Page, all []result) error {
	rules, limits := filepath.Join(w.dir, "rules.txt"), filepath.Join(w.dir, "hiding.yaml")
	for path, text := range map[string]string{rules: secrets, limits: hidingLimits} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
	}
	path, err := dataset.Path("vote/vote.csv")
	if err != nil {
		return err
	}
	q := w.ask(path, "class", nil)
	q.Sensitive, q.ProtectRequest.Limits = rules, limits
	c, err := (&desk.Desk{}).Choose(ctx, q)
	if err != nil {
		return err
	}
	p.WriteString("\n## The three steps, for rules that are to be hidden\n\nNai Fovino & Masera (2008, section 6.1) choose in three steps: test interesting techniques by general parameters and keep the acceptable\nones; take test data with the characteristics of the target; rank what is left by the quality of the data for the owner's purpose. They walk\nthrough it on hiding association rules. Here three rules of Vote are to be hidden; what counts is the patterns that are lost (3), new ones (1), and by\nhow much counts of items differ (1).\n")
	w.steps(p, result{set{name: "Vote"}, c, 0})
	p.WriteString("\n## The three steps, for a table\n\nThe same on Heart, under the default limits.\n")
	for _, r := range all {
		if r.name == "Heart" {
			w.steps(p, r)
		}
	}
	return nil
}

// steps prints what each of the three steps found.
func (w work) steps(p *rerun.Page, r result) {
	told := r.Told()
	broke, here := map[string]int{}, 0
	for _, x := range r.Rejected {
		switch {
		case x.Demand != nil:
			broke[x.Demand.Measure]++
		case x.NotHere:
			here++
		}
	}
	var by []string
	for _, name := range sorted(broke) {
		by = append(by, fmt.Sprintf("%d by %s", broke[name], name))
	}
	fmt.Fprintf(p, "\n1. **Candidates.** %d were tried with their strongest noise. %d do not apply to the table. Beyond a limit at the pessimistic end are %s.", len(r.Candidates), here, strings.Join(append(by, "no others"), ", "))
	if o := r.Operating; o != nil {
		fmt.Fprintf(p, " Operating figures of the choice: %s seconds for %s records, %.0f MB allocated", numeral.Number(o.Seconds, 0.0001), numeral.Count(float64(o.Records)), o.Allocated/1e6)
		if o.Slope == o.Slope {
			fmt.Fprintf(p, ", time as records to the power %.2f (%.2f to %.2f)", o.Slope, o.Lo, o.Hi)
		}
		fmt.Fprintf(p, "; declared: %s.", strings.TrimSuffix(o.Declared, "."))
	}
	fmt.Fprintf(p, "\n\n2. **Data like yours.** The trials are made on the table itself, %s of its %s records.\n\n3. **By purpose.** The weighted loss ranks them:\n\n| technique | settings | loses | first of all weights |\n|---|---|--:|--:|\n", numeral.Count(float64(r.Tried)), numeral.Count(float64(r.Records)))
	for _, o := range r.Ranking[:min(6, len(r.Ranking))] {
		fmt.Fprintf(p, "| %s | %s | %.2f %% | %s |\n", r.Candidates[o.Candidate].Name, settings(r, o), 100*o.Total, numeral.Percent(o.Share))
	}
	p.WriteString("\n")
	if r.Chosen.Chosen != nil {
		fmt.Fprintf(p, "Chosen and confirmed: %s, which loses %.2f %%. ", r.Candidates[r.Chosen.Chosen.Candidate].Name, 100*r.Chosen.Chosen.Total)
	}
	for _, s := range told.Consequences() {
		p.WriteString(s + "\n")
	}
}

func sorted(m map[string]int) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
