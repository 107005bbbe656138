package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/pair"
	securesum "github.com/dither-data/dither/joint/sums"
)

// secureSums are sums between parties.
var secureSums = map[string]answer{
	"secure_sum":       on(secureSum),
	"check_transcript": on(checkTranscript),
	"ring_neighbours": on(func(in struct{ Orders [][]int }) (any, error) {
		return map[string]any{"ok": securesum.NeighboursOnce(in.Orders)}, nil
	}),
	"scalar_product_support": on(support),
}

type ringCase struct {
	Values   []uint64
	R, N     uint64
	Messages []uint64
	Result   uint64
}

// ran is a sum in a ring: the numbers that are passed on, and the total.
type ran struct {
	messages []uint64
	total    uint64
}

// run runs the parties in one process. The random number of the first is that of the case.
func (in *ringCase) run() (out ran, err error) {
	m := in.N + 1
	plan := &joint.Plan{Version: 1}
	for k := range in.Values {
		plan.Parties = append(plan.Parties, joint.Member{Name: fmt.Sprintf("site%d", k+1)})
	}
	joint.Fill(plan)
	word, _ := bits.Div64(in.R, 0, m)
	random := bytes.Repeat(binary.LittleEndian.AppendUint64(nil, word+2), 600) // of which Below(m) makes R
	machines := make([]*joint.Machine, len(in.Values))
	for k := range machines {
		s := &joint.Session{Plan: plan, Random: bytes.NewReader(random)}
		machines[k] = joint.NewMachine(context.Background(), s, k,
			func(_ context.Context, p *joint.Party) (*joint.Result, error) {
				total, err := securesum.RingModulo(p, in.Values[k:k+1], m)
				if err != nil {
					return nil, err
				}
				out.total = total[0]
				return &joint.Result{}, nil
			})
	}
	_, err = joint.Together(machines, func(sent *joint.Message) {
		if sent.Kind == "sums.partial" {
			out.messages = append(out.messages, joint.NewReader(sent.Payload).Word())
		}
	})
	return out, err
}

func secureSum(in ringCase) (any, error) {
	got, err := in.run()
	if err != nil {
		return nil, err
	}
	m, before := in.N+1, in.R
	recovered := make([]uint64, len(got.messages))
	for k, now := range got.messages {
		recovered[k], before = (now+m-before)%m, now
	}
	return map[string]any{"messages": got.messages, "sum": got.total, "recovered_by_neighbours": recovered}, nil
}

func checkTranscript(in ringCase) (any, error) {
	got, err := in.run()
	if err != nil {
		return nil, err
	}
	if len(in.Messages) != len(got.messages) {
		return nil, errors.New("another number of messages than of values")
	}
	bad := 0
	for k := len(got.messages) - 1; k >= 0; k-- {
		if got.messages[k] != in.Messages[k] {
			bad = k + 1
		}
	}
	return map[string]any{"first_bad_message": bad, "result_ok": in.Result == got.total}, nil
}

type supportCase struct {
	Party1, Party2 [][]uint64 // by record, which items it has
	Items1, Items2 []int
}

// support is that of an itemset over two parties' columns: the scalar product of the records that have each part.
func support(in supportCase) (any, error) {
	has := [][]uint64{having(in.Party1, in.Items1), having(in.Party2, in.Items2)}
	plan := &joint.Plan{Version: 1, Parties: []joint.Member{{Name: "one"}, {Name: "two"}}}
	joint.Fill(plan)
	count, machines := uint64(0), make([]*joint.Machine, 2)
	for k := range machines {
		s := &joint.Session{Plan: plan, Random: rand.Reader}
		machines[k] = joint.NewMachine(context.Background(), s, k,
			func(_ context.Context, p *joint.Party) (*joint.Result, error) {
				c, err := pair.New(p)
				if err != nil {
					return nil, err
				}
				share, err := c.Dot(has[k], 1)
				count += share
				return &joint.Result{}, err
			})
	}
	if _, err := joint.Together(machines, nil); err != nil {
		return nil, err
	}
	return map[string]any{"x": has[0], "y": has[1], "support": count}, nil
}

// having marks the records that have all of some items.
func having(records [][]uint64, items []int) []uint64 {
	out := make([]uint64, len(records))
	for i, r := range records {
		out[i] = 1
		for _, k := range items {
			out[i] *= r[k]
		}
	}
	return out
}
