package quality

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Write writes a model as Parse reads it.
func (m *Model) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	if len(m.Key) > 0 {
		fmt.Fprintf(b, "key: [%s]\n", list(m.Key, scalar))
	}
	fmt.Fprintln(b, "asset:")
	for _, p := range m.Purposes {
		fmt.Fprintf(b, "  %s:\n    weight: %s\n    attributes:\n", scalar(p.Name), weight(p.Weight))
		for _, a := range p.Attributes {
			fmt.Fprintf(b, "      %s: {aw: %s, cw: %s}\n", scalar(a.Name), weight(a.Accuracy), weight(a.Completeness))
		}
		if len(p.Constraints) > 0 {
			fmt.Fprintln(b, "    constraints:")
		}
		for _, c := range p.Constraints {
			fmt.Fprintf(b, "      %s: {%s, weight: %s}\n", scalar(c.Name), c.written(), weight(c.Weight))
		}
		if len(p.Complex) > 0 {
			fmt.Fprintln(b, "    complex:")
		}
		for _, c := range p.Complex {
			fmt.Fprintf(b, "      %s: {op: %s, weight: %s, of: [%s]}\n", scalar(c.Name), c.Operator(), weight(c.Weight),
				list(c.Of, func(o Constraint) string { return "{" + o.written() + "}" }))
		}
	}
	return b.Flush()
}

// written is what a constraint holds, without its name and weight.
func (c *Constraint) written() string {
	if c.Relation != "" {
		return "relation: " + quoted(c.Relation)
	}
	return fmt.Sprintf("on: %s, expr: %s", scalar(c.On), quoted(c.Expr))
}

func list[T any](of []T, write func(T) string) string {
	out := make([]string, len(of))
	for k, v := range of {
		out[k] = write(v)
	}
	return strings.Join(out, ", ")
}

func weight(w float64) string { return strconv.FormatFloat(w, 'f', -1, 64) }

// safe is what YAML takes for text without quotes, but for the words below.
var safe = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// scalar writes a name.
func scalar(s string) string {
	if safe.MatchString(s) &&
		!slices.Contains([]string{"true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"},
			strings.ToLower(s)) {
		return s
	}
	return quoted(s)
}

// quoted writes a text in double quotes: YAML reads what JSON has there.
func quoted(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}
