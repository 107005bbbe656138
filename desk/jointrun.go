package desk

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"time"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/system/processor"
	"github.com/dither-data/dither/internal/text/filled"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/transport"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
)

// JointRunRequest asks to take part in a run with other parties.
type JointRunRequest struct {
	Source           // the table of this party; its path is empty for a role without one
	Plan      string // path
	Party     string // which of the plan this is
	Key       string // path of the key that JointKey made
	History   string // path of the history of this party's runs; empty: that of the key with ".history"
	Ledger    string // path of the ledger that the epsilon of a plan with noise is charged to
	Purpose   string // what the ledger keeps of what the run is for; empty: the name of the protocol
	Listen    string // host:port to answer calls at; empty: the address of the plan
	Wait      time.Duration
	Output    string // path for the document
	Release   string // path for the table that this party gets, where the protocol makes one, or for its release
	SeedFile  string // of a protocol that protects: path of the secret seed of the release, as in ProtectRequest
	Report    string // of a protocol that protects: path for a report on the release in HTML; empty for none
	PlanOut   string // of a protocol that protects: path for the plan of the release, confidential; empty for none
	Record    string // path for what the run cost, without its result
	Overwrite bool
}

// JointTried is what the parties of a run learned that this process holds: one, or all of a rehearsal.
type JointTried struct {
	Schema  string          `json:"schema"`
	Parties []JointDocument `json:"parties"`
}

// JointDocument is what a party learned in a run, and what the run took.
type JointDocument struct {
	Figures []JointFigure `json:"figures"`
	Tables  []JointTable  `json:"tables"`
	Run     JointRun      `json:"run"`
	// of the release of a party whose records the protocol protects; null where none was asked for
	Verdict *study.Verdict `json:"verdict"`
}

// JointFigure is a single value of a result.
type JointFigure struct {
	Name string `json:"name"`
	// a number or a text; an object with the key withheld, and why, for what the guard of the plan does not show
	Value json.RawMessage `json:"value"`
}

// JointTable is a table of values of a result.
type JointTable struct {
	Name    string              `json:"name"`
	Columns []string            `json:"columns"`
	Rows    [][]json.RawMessage `json:"rows"` // as the values of figures
}

// JointRun is what a run was and what it took, without its result.
type JointRun struct {
	Version    string   `json:"version"` // of the program
	Protocol   string   `json:"protocol"`
	Plan       string   `json:"plan"`    // hash of all that the plan says
	Session    string   `json:"session"` // number of the run, the same at all parties
	Party      string   `json:"party"`
	Parties    []string `json:"parties"`
	Sent       int      `json:"sent"`     // messages
	Received   int      `json:"received"` // messages
	BytesSent  int      `json:"bytesSent"`
	BytesGot   int      `json:"bytesReceived"`
	Rounds     int      `json:"rounds"`     // the longest chain of messages that led to the result
	CPUSeconds float64  `json:"cpuSeconds"` // of all cores, of this party (of a rehearsal an equal share); 0 if not known
	Seconds    float64  `json:"seconds"`    // from the first message to the last
}

// JointRecord is the record of a run: what it was and what it took, at one party, or at all of a rehearsal.
type JointRecord struct {
	Schema string     `json:"schema"`
	Runs   []JointRun `json:"runs"`
}

// Joint is what a party learned.
type Joint struct {
	Result *joint.Result
	Run    JointRun
	// Protection is the release of this party, made or withheld; nil where the protocol protects nothing, or none was
	// asked for. It is to be closed.
	Protection *Protection
}

// JointDocumentOf is what parties learned, and what the run took.
func JointDocumentOf(parties ...*Joint) JointTried {
	out := JointTried{Schema: schemaOf("joint")}
	for _, j := range parties {
		out.Parties = append(out.Parties, j.document())
	}
	return filled.Copy(out, false)
}

func (j *Joint) document() JointDocument {
	out := JointDocument{Run: j.Run}
	if p := j.Protection; p != nil {
		if out.Verdict = p.Outcome.Verdict; !p.Public {
			out.Verdict = whole(out.Verdict)
		}
	}
	for _, f := range j.Result.Figures {
		out.Figures = append(out.Figures, JointFigure{f.Name, cell(f.Value)})
	}
	for _, t := range j.Result.Tables {
		rows := make([][]json.RawMessage, len(t.Rows))
		for i, row := range t.Rows {
			for _, v := range row {
				rows[i] = append(rows[i], cell(v))
			}
		}
		out.Tables = append(out.Tables, JointTable{t.Name, t.Columns, rows})
	}
	return out
}

// cell is a value as JSON; a number that JSON has none for is null.
func cell(v any) json.RawMessage {
	if f, ok := v.(float64); ok && !finite(f) {
		v = nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic("desk: a result holds " + err.Error())
	}
	return b
}

// JointRun takes part in a run: it connects with the other parties, compares the plans, reads the table, and runs the
// protocol. Nothing is written before the run has ended well, but the history. A *joint.Fault names the party at fault.
// Where the protocol protects the records, the release of this party is judged as by Protect: what was learned then
// comes with a *Broken when it must not go out, and everything but the release is written.
func (d *Desk) JointRun(ctx context.Context, q JointRunRequest) (*Joint, error) {
	plan, protocol, err := jointPlan(q.Plan)
	if err != nil {
		return nil, err
	}
	me, err := partyOf(plan, q.Party)
	if err != nil {
		return nil, err
	}
	role := protocol.RoleOf(plan.Parties[me])
	if err := cmp.Or(q.fits(role), q.protectable(), q.payable(plan, role)); err != nil {
		return nil, err
	}
	f := &files{reads: append(q.inputs(), q.Plan), plan: []string{q.Key, q.Ledger}, seed: q.SeedFile,
		secret: []string{q.Output, q.Report, q.PlanOut}, shown: []string{q.Record}, tables: []string{q.Release},
		ledger: q.History, main: q.Output, replace: q.Overwrite}
	defer f.discard()
	if err := d.check(f); err != nil {
		return nil, err
	}
	file, err := os.ReadFile(q.Key)
	if err != nil {
		return nil, err
	}
	key, err := transport.ReadKey(file)
	if err != nil {
		return nil, usage(fmt.Errorf("%s: %w", q.Key, err))
	}
	met, err := d.meet(ctx, &q, transport.Options{Plan: plan, Me: me, Key: key, Listen: q.Listen, Wait: q.Wait,
		Program: d.Version})
	if err != nil {
		return nil, err
	}
	out, err := d.takePart(ctx, &q, plan, protocol, me, met)
	if err != nil {
		return nil, err
	}
	if err := q.write(ctx, d, f, plan, out); err != nil {
		return nil, err
	}
	if out.Protection == nil {
		return out, nil
	}
	return out, refusal(out.Protection.Broken)
}

// fits refuses a table where the role has none, and the other way round.
func (q *JointRunRequest) fits(role joint.Role) error {
	switch {
	case role.Table && q.Path == "":
		return &Usage{Field: "data", Err: fmt.Errorf("a party of the role %s brings a table", role.Name)}
	case !role.Table && q.Path != "":
		return &Usage{Field: "data", Value: q.Path, Err: fmt.Errorf("a party of the role %s brings no table", role.Name)}
	case q.Wait <= 0:
		q.Wait = DefaultWait
	}
	if q.History == "" {
		q.History = q.Key + ".history"
	}
	return nil
}

// DefaultWait is how long a party waits for the others to come.
const DefaultWait = 10 * time.Minute

func (d *Desk) meet(ctx context.Context, q *JointRunRequest, o transport.Options) (*transport.Meeting, error) {
	o.Listening = func(at net.Addr) {
		d.note(message.Say("told.listening").Name("place", at.String()))
	}
	o.Came = func(k int) { d.note(message.Say("told.came").Name("party", o.Plan.Parties[k].Name)) }
	p := d.begin(message.Say("work.meeting").String())
	defer p.End()
	return transport.Meet(ctx, o)
}

// takePart reads the table, enters the run into the history and runs the protocol. Whatever fails is told to all.
func (d *Desk) takePart(ctx context.Context, q *JointRunRequest, plan *joint.Plan, protocol *joint.Protocol, me int,
	met *transport.Meeting) (*Joint, error) {
	machine, err := d.ready(ctx, q, plan, protocol, me, met)
	if err != nil {
		met.Abort(err)
		return nil, err
	}
	p := d.begin(message.Say("work.joint").Name("protocol", protocol.Name).String())
	defer p.End()
	cpu, start := processor.Seconds(), time.Now()
	r, err := met.Run(ctx, machine)
	if err != nil {
		return nil, err
	}
	return &Joint{Result: r,
		Run: d.runOf(plan, met.Session(), me, machine, processor.Seconds()-cpu, time.Since(start))}, nil
}

// ready is the machine of the party, with its table.
func (d *Desk) ready(ctx context.Context, q *JointRunRequest, plan *joint.Plan, protocol *joint.Protocol, me int,
	met *transport.Meeting) (*joint.Machine, error) {
	t, err := d.entered(ctx, q, plan, protocol, me, met)
	if err != nil {
		return nil, err
	}
	own, err := d.own(q.SeedFile)
	if err != nil {
		return nil, err
	}
	session := &joint.Session{Plan: plan, ID: met.Session(), Random: rand.Reader, Own: own}
	return protocol.Machine(ctx, session, me, t)
}

// entered is the table of the party. What the run promises of it is charged to the ledger, then the run is entered into
// the history: one that the ledger refuses was none.
func (d *Desk) entered(ctx context.Context, q *JointRunRequest, plan *joint.Plan, protocol *joint.Protocol, me int,
	met *transport.Meeting) (t *table.Table, err error) {
	if q.Path == "" {
		return nil, nil
	}
	if t, err = d.jointTable(ctx, q.Source, plan, me); err != nil {
		return nil, err
	}
	h, err := openHistory(q.History)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	run, err := h.next(plan, met.Session(), t, me, time.Now())
	if err != nil {
		return nil, err
	}
	if err := q.charge(plan, protocol, met.Session(), h.digest(plan, t, me)); err != nil {
		return nil, err
	}
	return t, h.append(run)
}

func (d *Desk) runOf(p *joint.Plan, session [32]byte, me int, m *joint.Machine, cpu float64,
	took time.Duration) JointRun {
	hash, cost := p.Hash(), m.Cost()
	r := JointRun{Version: d.Version, Protocol: p.Protocol, Plan: hex.EncodeToString(hash[:]),
		Session: hex.EncodeToString(session[:]), Party: p.Parties[me].Name, Sent: cost.Sent, Received: cost.Received,
		BytesSent: cost.BytesSent, BytesGot: cost.BytesReceived, Rounds: cost.Rounds, CPUSeconds: cpu,
		Seconds: took.Seconds()}
	for _, m := range p.Parties {
		r.Parties = append(r.Parties, m.Name)
	}
	return r
}

// write writes what was asked for.
func (q *JointRunRequest) write(ctx context.Context, d *Desk, f *files, p *joint.Plan, out *Joint) (err error) {
	r := out.Result
	switch {
	case q.Release == "":
	case r.Protection != nil:
		out.Protection, err = q.protects(ctx, d, p, r)
	case r.Release == nil:
		err = usage(fmt.Errorf("--release: %s gives this party no table", out.Run.Protocol))
	case q.Report != "" || q.PlanOut != "" || q.SeedFile != "":
		err = usage(fmt.Errorf("%s protects nothing: there is no report, no plan and no seed of its table", out.Run.Protocol))
	default:
		_, err = f.table(ctx, q.Release, r.Release, format.Options{})
	}
	if err != nil {
		return err
	}
	return q.writeResult(f, out)
}

func (q *JointRunRequest) writeResult(f *files, out *Joint) error {
	err := f.add(q.Output, func(w io.Writer) error { return WriteJSON(w, JointDocumentOf(out)) })
	if err == nil {
		err = f.add(q.Record, func(w io.Writer) error {
			return WriteJSON(w, JointRecord{schemaOf("joint-record"), []JointRun{out.Run}})
		})
	}
	if err != nil {
		return err
	}
	return f.place()
}

// JointTryRequest asks for a rehearsal: all parties in this process.
type JointTryRequest struct {
	Plan      string   // path
	Sources   []Source // the tables of the parties that bring one, in their order
	Record    string   // path for what the run cost each party
	Overwrite bool
}

// JointTry runs all parties of a plan in one process, and returns what each learned, in their order. Nothing is kept of
// it in a history. Keys, addresses and certificates of the plan are not looked at.
func (d *Desk) JointTry(ctx context.Context, q JointTryRequest) ([]*Joint, error) {
	f := &files{reads: []string{q.Plan}, shown: []string{q.Record}, replace: q.Overwrite}
	for _, s := range q.Sources {
		f.reads = append(f.reads, s.inputs()...)
	}
	defer f.discard()
	if err := d.check(f); err != nil {
		return nil, err
	}
	out, err := d.rehearse(ctx, &q)
	if err != nil {
		return nil, err
	}
	r := JointRecord{Schema: schemaOf("joint-record")}
	for _, j := range out {
		r.Runs = append(r.Runs, j.Run)
	}
	if err := f.add(q.Record, func(w io.Writer) error { return WriteJSON(w, r) }); err != nil {
		return nil, err
	}
	return out, f.place()
}

func (d *Desk) rehearse(ctx context.Context, q *JointTryRequest) ([]*Joint, error) {
	plan, protocol, err := jointPlan(q.Plan)
	if err != nil {
		return nil, err
	}
	var bring []int
	for k, m := range plan.Parties {
		if protocol.RoleOf(m).Table {
			bring = append(bring, k)
		}
	}
	if len(bring) != len(q.Sources) {
		return nil, usage(fmt.Errorf("%d tables (--data), where %d parties of the plan bring one", len(q.Sources),
			len(bring)))
	}
	var id [32]byte
	_, _ = rand.Read(id[:]) // it never fails
	machines := make([]*joint.Machine, len(plan.Parties))
	for k := range machines {
		var t *table.Table
		if at := slices.Index(bring, k); at >= 0 {
			if t, err = d.jointTable(ctx, q.Sources[at], plan, k); err != nil {
				return nil, err
			}
		}
		session := &joint.Session{Plan: plan, ID: id, Random: rand.Reader}
		if machines[k], err = protocol.Machine(ctx, session, k, t); err != nil {
			return nil, err
		}
	}
	p := d.begin(message.Say("work.joint").Name("protocol", protocol.Name).String())
	defer p.End()
	cpu, start := processor.Seconds(), time.Now()
	results, err := joint.Together(machines, nil)
	if err != nil {
		return nil, err
	}
	share := float64(len(machines)) // of what all took together: they take turns
	cpu = (processor.Seconds() - cpu) / share
	out := make([]*Joint, len(results))
	for k, r := range results {
		out[k] = &Joint{Result: r, Run: d.runOf(plan, id, k, machines[k], cpu, time.Since(start))}
	}
	return out, nil
}
