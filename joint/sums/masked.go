package sums

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/dither-data/dither/joint"
)

// masks adds by masks that parties agree in pairs (Bonawitz et al. 2017), and goes on without parties that go: the
// first party gathers masked vectors, in which the masks of each pair cancel. The others give it what takes away the
// masks that are left: of a party that is there its own mask, of a party that went the ones it agreed; never both.
type masks struct {
	group []int   // who is still there, numbers in the plan; nil: all
	in    [][]int // whose vectors are in each total, numbers in the plan
}

const (
	maskKey    = "sums.key"
	maskShares = "sums.shares"
	maskHeard  = "sums.heard"
	maskWho    = "sums.who"
	maskVector = "sums.masked"
	maskSent   = "sums.sent"
	maskOpen   = "sums.open"
	maskTotal  = "sums.unmasked"
)

const secretSize = 32

// masking is one addition at one party.
type masking struct {
	p         *joint.Party
	threshold int
	private   *ecdh.PrivateKey
	own       []byte // the seed of the own mask
	public    []*ecdh.PublicKey
	held      [][2][]byte // by party: our share of its private key, and of the seed of its own mask
	agreed    []int       // whose masks are in the vectors
}

// add adds vectors of all who are there, and leaves in the group those whose vectors are in the total and who know it.
func (m *masks) add(whole *joint.Party, x []uint64) ([]uint64, error) {
	whole.Tolerate()
	if m.group == nil {
		for k := range whole.Parties() {
			m.group = append(m.group, k)
		}
	}
	p := whole.Group(m.group)
	n := p.Parties()
	a := &masking{p: p, threshold: whole.Parties()/2 + 1, own: p.Bytes(secretSize), public: make([]*ecdh.PublicKey, n),
		held: make([][2][]byte, n)}
	for _, step := range []func() error{a.keys, a.shares, a.agree} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	total, in, there, err := a.total(x)
	if err != nil {
		return nil, err
	}
	var left, counted []int
	for _, k := range in {
		counted = append(counted, m.group[k])
	}
	m.in = append(m.in, counted)
	for k, q := range m.group {
		if slices.Contains(there, k) {
			left = append(left, q)
		} else {
			p.Exclude(k)
		}
	}
	m.group = left
	return total, nil
}

// steady refuses totals of which one counts a party that another does not.
func (m *masks) steady(p *joint.Party) error {
	for k := range p.Parties() {
		for _, in := range m.in {
			if slices.Contains(in, k) != slices.Contains(m.in[0], k) {
				return p.Lost(k, errors.New("it went between two totals, which would differ by its part"))
			}
		}
	}
	return nil
}

// gone are the names of the parties that no total counts.
func (m *masks) gone(p *joint.Party) (out []string) {
	for k := range p.Parties() {
		if len(m.in) > 0 && !slices.Contains(m.in[0], k) {
			out = append(out, p.Name(k))
		}
	}
	return out
}

// receive waits for a message of a party; it is nil where the party went.
func (a *masking) receive(from int, kind string) ([]byte, error) {
	b, err := a.p.Receive(from, kind)
	var f *joint.Fault
	if errors.As(err, &f) && (f.Cause == joint.Gone || f.Cause == joint.Silent) {
		if from == 0 {
			return nil, err // nobody else gathers
		}
		return nil, nil
	}
	if b == nil && err == nil {
		b = []byte{}
	}
	return b, err
}

// keys tells every party the key to agree masks with.
func (a *masking) keys() (err error) {
	if a.private, err = ecdh.X25519().NewPrivateKey(a.p.Bytes(secretSize)); err != nil {
		return err
	}
	if err := a.p.SendAll(maskKey, a.private.PublicKey().Bytes()); err != nil {
		return err
	}
	a.public[a.p.Me()] = a.private.PublicKey()
	for _, k := range a.p.Others() {
		b, err := a.receive(k, maskKey)
		if err != nil {
			return err
		}
		if b == nil {
			continue
		}
		if a.public[k], err = ecdh.X25519().NewPublicKey(b); err != nil {
			return a.p.Blame(k, errors.New("its key is not one"))
		}
	}
	return nil
}

// shares gives every party a share of what may have to be opened of this one.
func (a *masking) shares() error {
	p := a.p
	secret := append(a.private.Bytes(), a.own...)
	made := split(secret, p.Parties(), a.threshold, p.Bytes(len(secret)*(a.threshold-1)))
	a.held[p.Me()] = [2][]byte{made[p.Me()][:secretSize], made[p.Me()][secretSize:]}
	for _, k := range p.Others() {
		if err := p.Send(k, maskShares, made[k]); err != nil {
			return err
		}
	}
	for _, k := range p.Others() {
		if a.public[k] == nil {
			continue
		}
		b, err := a.receive(k, maskShares)
		switch {
		case err != nil:
			return err
		case b == nil:
			a.public[k] = nil
		case len(b) != len(secret):
			return p.Blame(k, errors.New("its shares have another length"))
		default:
			a.held[k] = [2][]byte{b[:secretSize], b[secretSize:]}
		}
	}
	return nil
}

// agree makes all use the masks of the same parties: of those whose shares reached all who are there.
func (a *masking) agree() (err error) {
	heard := make([]bool, a.p.Parties())
	for k := range heard {
		heard[k] = a.public[k] != nil
	}
	a.agreed, err = a.gather(maskHeard, maskWho, heard)
	if err == nil {
		err = a.enough(a.agreed)
	}
	return err
}

// gather tells the first party whom each has, and all who of them everybody has, among those who answer.
func (a *masking) gather(ask, tell string, mine []bool) ([]int, error) {
	p, n := a.p, len(mine)
	if p.Me() > 0 {
		if err := p.Send(0, ask, flags(mine)); err != nil {
			return nil, err
		}
		b, err := a.receive(0, tell)
		if err != nil {
			return nil, err
		}
		return a.with(b)
	}
	both := slices.Clone(mine)
	for k := 1; k < n; k++ {
		if !mine[k] {
			continue
		}
		b, err := a.receive(k, ask)
		if err != nil {
			return nil, err
		}
		if b == nil {
			both[k] = false
			continue
		}
		theirs, err := a.set(k, b)
		if err != nil {
			return nil, err
		}
		for j := range both {
			both[j] = both[j] && slices.Contains(theirs, j)
		}
	}
	var all []int
	for k, in := range both {
		if in {
			all = append(all, k)
		}
	}
	for _, k := range all {
		if k > 0 {
			if err := p.Send(k, tell, flags(both)); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

func flags(in []bool) []byte {
	b := make([]byte, len(in))
	for k := range in {
		if in[k] {
			b[k] = 1
		}
	}
	return b
}

// set reads what flags wrote.
func (a *masking) set(from int, b []byte) (out []int, err error) {
	if len(b) != a.p.Parties() {
		return nil, a.p.Blame(from, errors.New("its list of parties has another length"))
	}
	for k := range b {
		if b[k] == 1 {
			out = append(out, k)
		}
	}
	return out, nil
}

// with reads whom the first party goes on with, and refuses to be told of a run that goes on without this party.
func (a *masking) with(b []byte) ([]int, error) {
	all, err := a.set(0, b)
	if err == nil && !slices.Contains(all, a.p.Me()) {
		err = a.p.Blame(0, errors.New("it goes on without this party"))
	}
	return all, err
}

// enough refuses to go on with fewer parties than can open what must be opened.
func (a *masking) enough(there []int) error {
	for k := range a.p.Parties() {
		if len(there) < a.threshold && !slices.Contains(there, k) {
			return a.p.Lost(k, fmt.Errorf("%d parties are left; the total needs %d", len(there), a.threshold))
		}
	}
	return nil
}

// total sends the masked vector, opens what is left of the masks, and gives the total, whose vectors are in it, and who
// is there at the end.
func (a *masking) total(x []uint64) (total []uint64, in, there []int, err error) {
	p := a.p
	vector, err := a.masked(x)
	if err != nil {
		return nil, nil, nil, err
	}
	sent := make([]bool, p.Parties())
	sent[0] = true
	if p.Me() > 0 {
		err = p.Send(0, maskVector, joint.AppendWords(nil, vector))
	} else {
		err = a.collect(vector, sent)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	if in, err = a.gatherSent(sent); err != nil {
		return nil, nil, nil, err
	}
	if err := a.enough(in); err != nil {
		return nil, nil, nil, err
	}
	total, there, err = a.open(vector, in)
	return total, in, there, err
}

// collect adds the masked vectors of the others.
func (a *masking) collect(vector []uint64, sent []bool) error {
	for _, k := range a.agreed[1:] {
		b, err := a.receive(k, maskVector)
		if err != nil {
			return err
		}
		if b == nil {
			continue
		}
		r := joint.NewReader(b)
		theirs := r.Words(len(vector))
		if err := r.End(); err != nil {
			return a.p.Blame(k, err)
		}
		for i := range vector {
			vector[i] += theirs[i]
		}
		sent[k] = true
	}
	return nil
}

// masked is the vector with all masks.
func (a *masking) masked(x []uint64) ([]uint64, error) {
	out := slices.Clone(x)
	if err := a.mask(out, a.own, a.p.Me(), a.p.Me(), 1); err != nil {
		return nil, err
	}
	for _, k := range a.agreed {
		if k == a.p.Me() {
			continue
		}
		if err := a.pair(out, a.private, a.p.Me(), k, 1); err != nil {
			return nil, a.p.Blame(k, err)
		}
	}
	return out, nil
}

// pair adds the mask that party i, whose private key is given, agreed with k; sign is 1 or, to take it away, -1.
func (a *masking) pair(v []uint64, private *ecdh.PrivateKey, i, k, sign int) error {
	secret, err := private.ECDH(a.public[k])
	if err != nil {
		return errors.New("its key agrees no mask")
	}
	if i > k {
		sign = -sign
	}
	return a.mask(v, secret, min(i, k), max(i, k), sign)
}

// mask adds, or takes away, the numbers that a seed stands for: AES-256 in counter mode under the hash of the seed, the
// session and the two parties.
func (a *masking) mask(v []uint64, seed []byte, i, k, sign int) error {
	session := a.p.Session()
	h := sha256.New()
	h.Write([]byte("dither masked sum 1\n"))
	h.Write(session[:])
	h.Write(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(i)), uint32(k)))
	h.Write(seed)
	block, err := aes.NewCipher(h.Sum(nil))
	if err != nil {
		return err
	}
	b := make([]byte, 8*len(v))
	cipher.NewCTR(block, make([]byte, aes.BlockSize)).XORKeyStream(b, b)
	for i := range v {
		v[i] += uint64(sign) * binary.LittleEndian.Uint64(b[8*i:])
	}
	return nil
}

// open gathers the shares of what is left of the masks, takes it away, and tells the total.
func (a *masking) open(vector []uint64, in []int) (total []uint64, there []int, err error) {
	p := a.p
	var mine []byte
	for _, k := range a.agreed {
		mine = append(mine, a.held[k][which(in, k)]...)
	}
	if p.Me() > 0 {
		if err := p.Send(0, maskOpen, mine); err != nil {
			return nil, nil, err
		}
		b, err := a.receive(0, maskTotal)
		if err != nil {
			return nil, nil, err
		}
		r := joint.NewReader(b)
		answered := r.Bytes(p.Parties())
		total = r.Words(len(vector))
		if err := r.End(); err != nil {
			return nil, nil, p.Blame(0, err)
		}
		there, err = a.with(answered)
		return total, there, err
	}
	opened := map[int][]byte{0: mine}
	answered := make([]bool, p.Parties())
	answered[0], there = true, []int{0}
	for _, k := range in[1:] {
		b, err := a.receive(k, maskOpen)
		switch {
		case err != nil:
			return nil, nil, err
		case b == nil:
		case len(b) != len(mine):
			return nil, nil, p.Blame(k, errors.New("its shares have another length"))
		default:
			opened[k], answered[k] = b, true
			there = append(there, k)
		}
	}
	if err := a.enough(there); err != nil {
		return nil, nil, err
	}
	if err := a.unmask(vector, in, opened); err != nil {
		return nil, nil, err
	}
	for _, k := range there[1:] {
		if err := p.Send(k, maskTotal, joint.AppendWords(flags(answered), vector)); err != nil {
			return nil, nil, err
		}
	}
	return vector, there, nil
}

// gatherSent tells all whose vectors the first party has.
func (a *masking) gatherSent(sent []bool) (in []int, err error) {
	if a.p.Me() > 0 {
		b, err := a.receive(0, maskSent)
		if err != nil {
			return nil, err
		}
		return a.with(b)
	}
	for k := range sent {
		if sent[k] {
			in = append(in, k)
		}
	}
	for _, k := range in[1:] {
		if err := a.p.Send(k, maskSent, flags(sent)); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// which is the secret of a party that is opened: 1, the seed of its own mask, where its vector is in the total, else 0,
// its private key.
func which(in []int, k int) int {
	if slices.Contains(in, k) {
		return 1
	}
	return 0
}

// unmask takes the masks away that are left in the sum of the vectors.
func (a *masking) unmask(vector []uint64, in []int, opened map[int][]byte) error {
	for at, k := range a.agreed {
		shares := map[int][]byte{}
		for j, b := range opened {
			shares[j] = b[at*secretSize : (at+1)*secretSize]
		}
		secret := join(shares, secretSize)
		if which(in, k) == 1 {
			if err := a.mask(vector, secret, k, k, -1); err != nil {
				return err
			}
			continue
		}
		private, err := ecdh.X25519().NewPrivateKey(secret)
		if err != nil || !slices.Equal(private.PublicKey().Bytes(), a.public[k].Bytes()) {
			return a.p.Blame(k, errors.New("its shares do not give its key"))
		}
		for _, j := range in { // they hold the other halves of its pairs
			if err := a.pair(vector, private, k, j, 1); err != nil {
				return a.p.Blame(j, err)
			}
		}
	}
	return nil
}
