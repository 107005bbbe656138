package joint

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"sort"

	"github.com/dither-data/dither/rng"
)

// Session is one run of a plan.
type Session struct {
	Plan *Plan
	// ID is that of the run: the same at all parties, never used before.
	ID [32]byte
	// Random is where all randomness comes from: crypto/rand, but in tests.
	Random io.Reader
	// Own is the secret that what a party makes of its own records alone follows from, such as its release: the same
	// secret makes the same again of the same records and result. The zero Source: it is drawn from Random.
	Own rng.Source
}

// NonceSize is how many random bytes each party adds to the number of a session.
const NonceSize = 32

// Hash is that of all that the plan says. How its file is laid out, and its comments, do not count.
func (p *Plan) Hash() [32]byte { return sha256.Sum256(p.canonical()) }

func (p *Plan) canonical() []byte {
	b, err := json.Marshal(p) // keys of maps are in order
	if err != nil {
		panic("joint: " + err.Error()) // a plan that was checked holds finite numbers
	}
	return b
}

// SessionID returns the number of a session of the plan: the hash of the plan and of the nonces of all parties, in
// their order. No party alone can make a session come again.
func (p *Plan) SessionID(nonces [][NonceSize]byte) [32]byte {
	h := sha256.New()
	h.Write([]byte("dither joint session 1\n"))
	hash := p.Hash()
	h.Write(hash[:])
	for _, n := range nonces {
		h.Write(n[:])
	}
	return [32]byte(h.Sum(nil))
}

// Difference is a field in which two plans differ.
type Difference struct {
	Field        string // such as parties.1.name
	Ours, Theirs string // as JSON; empty where it is absent
}

// Differences returns the fields in which two plans differ, by name.
func (p *Plan) Differences(theirs *Plan) (out []Difference) {
	a, b := p.fields(), theirs.fields()
	for f, v := range a {
		if b[f] != v {
			out = append(out, Difference{f, v, b[f]})
		}
	}
	for f, v := range b {
		if _, ok := a[f]; !ok {
			out = append(out, Difference{f, "", v})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Field < out[j].Field })
	return out
}

// fields are all values of a plan, by the path of their keys.
func (p *Plan) fields() map[string]string {
	var v any
	if err := json.Unmarshal(p.canonical(), &v); err != nil {
		panic("joint: " + err.Error())
	}
	out := map[string]string{}
	flatten(out, "", v)
	return out
}

func flatten(out map[string]string, path string, v any) {
	step := func(key string, v any) {
		if path != "" {
			key = path + "." + key
		}
		flatten(out, key, v)
	}
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			step(k, x)
		}
	case []any:
		for k, x := range v {
			step(fmt.Sprint(k), x)
		}
	default:
		b, _ := json.Marshal(v) // it comes of JSON
		out[path] = string(b)
	}
}
