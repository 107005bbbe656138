package main

import (
	"fmt"
	"strings"
	"text/template"

	"github.com/dither-data/dither/tools/internal/rerun"
)

// figures are what the prose of the page says of the run, by name, so that no sentence has a figure that the run does
// not.
type figures map[string]float64

// keep takes down what the prose may say of techniques: "wbc/Framework: A" is the mean weight of Type A.
func (g figures) keep(set string, all ...runs) {
	for _, r := range all {
		as := set + "/" + r.title() + ": "
		if r.results[0].sim != nil {
			for k, name := range []string{"A", "B", "C", "D"} {
				g[as+name] = mean(column(r.results, weight(k)))
			}
			a := column(r.results, weight(typeA))
			g[as+"A > 90"] = within(a, func(x float64) bool { return x > 90 })
			g[as+"A+B"] = mean(column(r.results, weight(typeA, typeB)))
		}
		if r.results[0].acc != nil {
			original := column(r.results, func(r *result) float64 { return r.acc.ReleasedOriginal })
			g[as+"gap"] = mean(column(r.results, accuracyGap))
			g[as+"own"] = mean(column(r.results, func(r *result) float64 { return r.acc.ReleasedReleased }))
			g[as+"original"], g[as+"least"], g[as+"most"] = mean(original), quantile(original, 0), quantile(original, 1)
		}
		if r.results[0].bias != nil {
			g.keepMoments(as, r.results)
		}
	}
}

func (g figures) keepMoments(as string, rs []*result) {
	for without, name := range []string{"change", "change without the first"} {
		g[as+name] = quantile(column(rs, changeWithout(without)), 0.5)
	}
	corr := meanMatrix(rs, releasedCorr)
	for i, name := range rs[0].bias.Names {
		g[as+"mean "+name] = mean(column(rs, func(r *result) float64 { return r.bias.MeanReleased[i] }))
		for j := range i {
			g[as+rs[0].bias.Names[j]+" and "+name] = corr[i][j]
		}
	}
}

// fill writes the figures into a text: {{f "name" 2}} is the figure of that name with two decimals, {{between "name"
// "other" 0}} two of them, the smaller first. A name that no experiment kept is an error. Paragraphs are wrapped.
func (g figures) fill(text string) (string, error) {
	var missing string
	get := func(name string) float64 {
		v, ok := g[name]
		if !ok {
			missing = name
		}
		return v
	}
	said := func(name string, decimals int) string { return number(get(name), decimals) }
	t, err := template.New("").Funcs(template.FuncMap{
		"f": said,
		"between": func(a, b string, decimals int) string {
			return number(min(get(a), get(b)), decimals) + " to " + number(max(get(a), get(b)), decimals)
		},
	}).Parse(text)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	if err := t.Execute(&out, nil); err != nil {
		return "", err
	}
	if missing != "" {
		return "", fmt.Errorf("no experiment has the figure %q", missing)
	}
	return rerun.Wrap(out.String()), nil
}

// number writes a figure with commas between thousands.
func number(v float64, decimals int) string {
	s := fmt.Sprintf("%.*f", decimals, v)
	whole, rest, _ := strings.Cut(s, ".")
	for k := len(whole) - 3; k > 0 && whole[k-1] != '-'; k -= 3 {
		whole = whole[:k] + "," + whole[k:]
	}
	if rest != "" {
		return whole + "." + rest
	}
	return whole
}
