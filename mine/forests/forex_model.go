package forests

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// Model is a forest and its rules worth showing, the strongest first. It is plain data.
type Model struct {
	Forest *tree.Forest `json:"forest"`
	All    int          `json:"all"` // different rules of the forest
	Rules  []Rule       `json:"rules"`
}

// Predict lets the trees of the forest vote.
func (m *Model) Predict(t *table.Table, dst []int32) { m.Forest.Predict(t, dst) }

// Words returns the conditions of a rule, and its class.
func (r *Rule) Words(attrs []table.Attribute, class int) (conditions []string, then string) {
	for k := range r.If {
		conditions = append(conditions, string(r.If[k].AppendTo(nil, attrs)))
	}
	return conditions, attrs[class].Labels[r.Then]
}

// widest is the longest line of the text, in characters.
const widest = 160

// Text lists the rules by class.
func (m *Model) Text() string {
	attrs, class := m.Forest.Attrs(), m.Forest.Class()
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d rules of %d trees are worth showing\n", len(m.Rules), m.All, len(m.Forest.Trees))
	for c, label := range m.Forest.ClassLabels() {
		head := clip(fmt.Sprintf("\n%s = %s", attrs[class].Name, label))
		for k := range m.Rules {
			r := &m.Rules[k]
			if r.Then != int32(c) {
				continue
			}
			conditions, _ := r.Words(attrs, class)
			fmt.Fprintf(&b, "%s\n  right %.1f %%, covers %.1f %% (%d records):\n", head, float64(100*r.Accuracy()),
				float64(100*r.Coverage()),
				r.Covered)
			for _, cond := range conditions {
				b.WriteString(clip("    "+cond) + "\n")
			}
			head = ""
		}
	}
	return b.String()
}

// clip shortens a line.
func clip(line string) string {
	if utf8.RuneCountInString(line) <= widest {
		return line
	}
	return string([]rune(line)[:widest-3]) + "..."
}
