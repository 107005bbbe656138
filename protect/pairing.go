package protect

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
)

// Pairing says of one very release which record of the original each of its records is, so that the release can be
// measured person by person although its records are in a random order. It belongs to that file alone: the plan beside
// it can be applied to any other.
type Pairing struct {
	Release  string `json:"release"`  // SHA-256 of the file, in hexadecimal digits
	Original string `json:"original"` // that of the file it was made from
	// Records holds the row of every record of the release in the file of the original, in the order of the release: each
	// as its difference from the one before, the first from 0, a signed varint of encoding/binary. Up to a million records
	// take 3 bytes each, 4 as base64.
	Records []byte `json:"records"`
}

// NewPairing packs the rows, from 0.
func NewPairing(release, original string, rows []int) *Pairing {
	p := &Pairing{release, original, make([]byte, 0, 3*len(rows))}
	last := 0
	for _, r := range rows {
		p.Records = binary.AppendVarint(p.Records, int64(r-last))
		last = r
	}
	return p
}

// maxRow bounds the rows that a decoded pairing may name.
const maxRow = 1 << 40

// Rows unpacks the rows. A row that occurs twice, is negative or torn is an error. Cost: O(n).
func (p *Pairing) Rows() ([]int, error) {
	rows := make([]int, 0, len(p.Records)/3)
	seen := make(map[int]struct{}, len(p.Records)/3)
	last := int64(0)
	for rest := p.Records; len(rest) > 0; {
		d, n := binary.Varint(rest)
		if n <= 0 || d > maxRow || d < -maxRow {
			return nil, errors.New("its records are torn")
		}
		if last += d; last < 0 || last > maxRow {
			return nil, errors.New("it names a row that no file has")
		}
		if _, twice := seen[int(last)]; twice {
			return nil, errors.New("it names a row twice")
		}
		seen[int(last)] = struct{}{}
		rows, rest = append(rows, int(last)), rest[n:]
	}
	return rows, nil
}

// Check refuses a pairing that was not written by EncodeFile.
func (p *Pairing) Check() error {
	for _, sum := range []string{p.Release, p.Original} {
		if raw, err := hex.DecodeString(sum); err != nil || len(raw) != 32 {
			return errors.New("it does not name its files by their SHA-256")
		}
	}
	_, err := p.Rows()
	return err
}
