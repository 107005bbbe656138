package joint

import "errors"

// Together runs all parties of a session in one process, for a rehearsal, and returns when all have ended: the results
// by party, or the first error. Sent is told of every message, and may be nil.
func Together(machines []*Machine, sent func(m *Message)) ([]*Result, error) {
	type parcel struct {
		from, to int
		frame    []byte
	}
	var queue []parcel
	step := func(k int, work func() ([]Message, error)) error {
		out, err := work()
		for i := range out {
			if sent != nil {
				sent(&out[i])
			}
			queue = append(queue, parcel{k, out[i].To, out[i].AppendFrame(nil)})
		}
		return err
	}
	first := func() error {
		for k, m := range machines {
			if err := step(k, m.Start); err != nil {
				return err
			}
		}
		for len(queue) > 0 {
			p := queue[0]
			queue = queue[1:]
			err := step(p.to, func() ([]Message, error) { return machines[p.to].Deliver(p.from, p.frame) })
			if err != nil {
				return err
			}
		}
		return nil
	}()
	out := make([]*Result, len(machines))
	for k, m := range machines {
		if waits, ok := m.Waiting(); ok && first == nil {
			_, first = m.Fail(waits, Silent, errors.New("all parties wait for each other"))
		}
		m.stop()
		out[k] = m.result
	}
	if first != nil {
		return nil, first
	}
	return out, nil
}
