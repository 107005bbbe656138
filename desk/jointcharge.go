package desk

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/record"
	"github.com/dither-data/dither/table"
)

// payable refuses a ledger where there is no noise, and noise without a ledger, before the run.
func (q *JointRunRequest) payable(p *joint.Plan, role joint.Role) error {
	switch {
	case p.Noise == nil && q.Ledger != "":
		return &Usage{Field: "ledger", Value: q.Ledger, Err: errors.New("the plan adds no noise, so nothing is charged")}
	case p.Noise != nil && q.Ledger == "" && role.Table:
		return &Usage{Field: "ledger", Err: errors.New("the plan adds noise: name the ledger of your table, which its " +
			"epsilon is charged to")}
	case q.Ledger == "":
		return nil
	}
	_, err := budget.Open(q.Ledger)
	return err
}

// charge charges what a run promises of the table to the ledger. Nothing of the run was sent yet, and no noise drawn.
func (q *JointRunRequest) charge(p *joint.Plan, protocol *joint.Protocol, session [32]byte, data string) error {
	if q.Ledger == "" {
		return nil
	}
	c, err := protocol.Computation(p)
	if err != nil {
		return err
	}
	entries, err := c.(joint.Noisy).Charges(p) // or the plan would have been refused
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Purpose = record.Text(q.Purpose); q.Purpose == "" {
			e.Purpose = "joint " + protocol.Name
		}
		e.Data, e.Release = data, hex.EncodeToString(session[:])
	}
	l, err := budget.Open(q.Ledger)
	if err != nil {
		return err
	}
	return l.ChargeAll(entries)
}

// digest is the keyed digest of the columns of a table that a run uses.
func (h *history) digest(p *joint.Plan, t *table.Table, me int) string {
	mac := hmac.New(sha256.New, h.key)
	for _, w := range h.hashes(t, usedColumns(p, t, me)) {
		mac.Write(binary.BigEndian.AppendUint64(nil, w))
	}
	return hex.EncodeToString(mac.Sum(nil))
}
