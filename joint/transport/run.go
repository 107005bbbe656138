package transport

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/dither-data/dither/joint"
)

// reads reads of a party until the connection ends; what comes when the run is over is not looked at.
func (m *Meeting) reads(k int, l *link) {
	defer close(l.read)
	r := bufio.NewReaderSize(l, 64<<10)
	for {
		f, err := l.next(r)
		select {
		case m.events <- event{k, f, err}:
		case <-m.over:
		}
		if err != nil {
			return
		}
	}
}

// next waits for the next event. Of a connection that ended, and of an abort, it makes the error.
func (m *Meeting) next(ctx context.Context) (e event, err error) {
	if len(m.early) > 0 {
		e, m.early = m.early[0], m.early[1:]
		return e, nil
	}
	select {
	case e = <-m.events:
		return e, m.ended(e)
	case <-ctx.Done():
		return e, m.stopped(ctx)
	}
}

// ended is the error of an event that ends a run; nil for any other.
func (m *Meeting) ended(e event) error {
	switch {
	case e.err != nil:
		cause, err := causeOf(e.err)
		return m.fault(e.from, cause, err)
	case e.kind == abortFrame:
		return m.told(e)
	}
	return nil
}

func (m *Meeting) stopped(ctx context.Context) error {
	why := errors.New("interrupted")
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		why = errors.New("time is up: limits.total of the plan, or the time to wait for others")
	}
	return m.fault(m.o.Me, joint.Stopped, why)
}

// told is the error of a run that another party ended.
func (m *Meeting) told(e event) error {
	var a abort
	if err := json.Unmarshal(e.body, &a); err != nil || !slices.Contains(joint.Causes, a.Cause) {
		return m.fault(e.from, joint.Garbled, errors.New("it ended the run and does not say why"))
	}
	by, passed := m.name(e.from), ""
	if k := m.o.Plan.Party(a.By); k >= 0 && k != e.from {
		by, passed = m.name(k), fmt.Sprintf(" (passed on by %s)", by)
	}
	f := m.fault(e.from, a.Cause, fmt.Errorf("%s, says %s%s", meaning[a.Cause], by, passed))
	f.By = by
	if a.Party == "" {
		f.Err = errors.New("it does not know our certificate: its plan has another for us")
		return f
	}
	if k := m.o.Plan.Party(a.Party); k >= 0 {
		f.Party, f.Round = m.name(k), max(0, a.Round)
	}
	return f
}

// meaning says what a cause is, where all that is known of it is what another party said.
var meaning = map[joint.Cause]string{
	joint.Refused:   "its own table, key or settings do not fit the plan",
	joint.Garbled:   "a message of it is not what the protocol sends",
	joint.Replayed:  "a message of it came again",
	joint.Lost:      "a message of it was lost",
	joint.Oversized: "a message of it is above the limit of the plan",
	joint.Silent:    "it gave no sign of life",
	joint.Gone:      "the connection with it ended, or it did not come",
	joint.Differs:   "its plan, its certificate or what it saw is another",
	joint.Stopped:   "it was stopped",
	joint.Defect:    "its program is at fault",
}

// Session is the number of the session that all parties agreed.
func (m *Meeting) Session() [32]byte { return m.session }

// Run runs the machine of this party to its end. The machine is for the session of the meeting. The connections are
// closed then.
func (m *Meeting) Run(ctx context.Context, machine *joint.Machine) (*joint.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(m.o.Plan.Limits.Total)*time.Second)
	defer cancel()
	out, err := machine.Start()
	m.send(out)
	left := make([]bool, len(m.links)) // who said bye
	for err == nil && !machine.Done() {
		if k, waits := machine.Waiting(); waits && left[k] {
			out, err = machine.Fail(k, joint.Gone, errors.New("it ended before all was said"))
		} else {
			out, err = m.turn(ctx, machine, left)
		}
		m.send(out)
	}
	if err != nil {
		m.Abort(err)
		return nil, err
	}
	m.close(func(l *link) { l.say(byeFrame, nil) })
	return machine.Result()
}

// turn waits for an event and tells the machine.
func (m *Meeting) turn(ctx context.Context, machine *joint.Machine, left []bool) ([]joint.Message, error) {
	e, err := m.next(ctx)
	var f *joint.Fault
	if e.err != nil && left[e.from] {
		return nil, nil // it said bye before
	}
	switch {
	case err != nil && e.err != nil && errors.As(err, &f):
		return machine.Fail(e.from, f.Cause, f.Err)
	case err != nil && errors.As(err, &f):
		return nil, machine.End(f)
	case e.kind == messageFrame:
		return machine.Deliver(e.from, e.body)
	case e.kind == byeFrame:
		left[e.from] = true
	case e.kind != beatFrame:
		return machine.Fail(e.from, joint.Garbled, errors.New("something that has no place in a run"))
	}
	return nil, nil
}

func (m *Meeting) send(out []joint.Message) {
	for i := range out {
		m.links[out[i].To].message(&out[i])
	}
}

// Abort ends the run with an error, and tells all others which party it is about, in which round, and the cause; not
// the words.
func (m *Meeting) Abort(err error) {
	a := abort{Party: m.name(m.o.Me), Cause: joint.Refused}
	var f *joint.Fault
	if errors.As(err, &f) {
		a = abort{f.Party, f.Round, f.Cause, f.By}
	}
	m.close(func(l *link) { l.say(abortFrame, a) })
}

// linger is how long the last words of a run may take to be written.
const linger = 5 * time.Second

// close says the last words on every connection, and closes them.
func (m *Meeting) close(last func(l *link)) {
	m.end.Do(func() {
		close(m.over)
		var wait sync.WaitGroup
		for _, l := range m.links {
			if l != nil {
				last(l)
				wait.Go(func() { l.end(min(linger, m.silence())) })
			}
		}
		wait.Wait()
	})
}
