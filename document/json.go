package document

import (
	"encoding/json"
	"html/template"
	"math"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/measure"
)

// MarshalJSON writes a figure; what is not a number is null.
func (f Figure) MarshalJSON() ([]byte, error) {
	finite := func(v float64) *float64 {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		return &v
	}
	value, interval := f.Text()
	if interval == "" {
		f.Level = 0
	}
	return json.Marshal(struct {
		Key   string           `json:"key"`
		Title message.Sentence `json:"title"`
		Value *float64         `json:"value"`
		Lo    *float64         `json:"lo"`
		Hi    *float64         `json:"hi"`
		Level float64          `json:"level,omitempty"`
		measure.Unit
		Shown  string           `json:"shown"`
		Says   message.Sentence `json:"says"`
		Beside message.Sentence `json:"beside"`
		Failed bool             `json:"failed,omitempty"`
	}{f.Key, f.Title, finite(f.Value), finite(f.Lo), finite(f.Hi), f.Level, f.Unit, value, f.Says, f.Beside, f.Failed})
}

// MarshalJSON writes a section with the kind of every block.
func (s Section) MarshalJSON() ([]byte, error) {
	type plain Section
	return json.Marshal(struct {
		plain
		Blocks []tagged `json:"blocks"`
	}{plain(s), taggedOf(s.Blocks)})
}

// tagged is a block with its kind.
type tagged struct{ Block }

func taggedOf(blocks []Block) []tagged {
	out := []tagged{}
	for _, b := range blocks {
		out = append(out, tagged{b})
	}
	return out
}

func (t tagged) MarshalJSON() ([]byte, error) {
	var fields any = t.Block
	switch b := t.Block.(type) {
	case Part:
		fields = parted(b.Title, b.Blocks)
	case Fold:
		fields = parted(b.Title, b.Blocks)
	case Group:
		fields = map[string]any{"parts": partsOf(b.Parts)}
	case Charts:
		fields = map[string]any{"items": b.Items, "aside": taggedOf(b.Aside)}
	}
	body, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	kind, _ := json.Marshal(t.block())
	head := append([]byte(`{"kind":`), kind...)
	if len(body) > 2 {
		head = append(head, ',')
	}
	return append(head, body[1:]...), nil
}

func parted(title message.Sentence, blocks []Block) map[string]any {
	return map[string]any{"title": title, "blocks": taggedOf(blocks)}
}

func partsOf(parts []Part) (out []any) {
	for _, p := range parts {
		out = append(out, parted(p.Title, p.Blocks))
	}
	return out
}

// Picture is a drawing that is drawn already, of data that are too many to keep.
type Picture template.HTML

// Draw returns it.
func (p Picture) Draw(string) template.HTML { return template.HTML(p) }
