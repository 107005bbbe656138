// Package pseudonym replaces identifiers by keyed hashes, so that the records of one person can still be joined.
//
// What it does: every value becomes the first 128 bits of HMAC-SHA-256 over its text, written as 26 letters and digits
// of lower-case base32. The key comes from the run's secret, so within one run the same value has the same pseudonym,
// in every column, and two runs with different secrets cannot be joined.
//
// Which attributes: identifiers. A column of numbers becomes categorical; in one of sets every item has its pseudonym.
// The labels are sorted by pseudonym and unused ones are left out, so their order and number tell nothing about the
// originals.
//
// What an informed intruder still learns: which records belong to one person, and how many each has. A person who
// appears a known number of times, or is known from the other columns, is found as before, and then all their records
// are: the quasi-identifiers need protection of their own. Anyone who holds the secret can test guesses, and
// identifiers are easily enumerated (there are fewer than 10^10 telephone numbers), so the secret must not leave the
// custodian. Pseudonymised data remain personal data in law (GDPR, article 4(5)).
//
// Missing values stay missing. Cost: O(n + d log d) for n records and d distinct values, one hash per distinct value.
//
// Two values meet in one pseudonym with probability below d^2/2^129; for d = 10^6 that is about 10^-27.
//
// Reference: Bellare, Canetti & Krawczyk 1996 (HMAC); RFC 2104; RFC 4648 section 6 (base32).
package pseudonym

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"runtime"
	"slices"
	"sync"

	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

var encoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// Column returns the column with every value replaced by its pseudonym. The result is categorical or set-valued, and
// unordered, keeps name and role, and shares no labels or codes with c. Pass the source of the run: columns given the
// same source share pseudonyms. A number is hashed as the text that a release would show, with the decimals of the
// column's grid. A set-valued column stays one. A source without a seed is an error (rng.ErrUnseeded): anybody could
// test guesses of a value by it.
func Column(c table.Column, src rng.Source) (table.Column, error) {
	if err := src.Seeded(); err != nil {
		return table.Column{}, err
	}
	switch c.Kind {
	case table.Numeric:
		c = written(c)
	case table.Categorical, table.SetValued:
	}
	c.Declared, c.Ordered = false, false
	c = c.Compact() // leaves labels in use only, and shares no values
	type entry struct {
		pseudonym string
		code      int32
	}
	entries := make([]entry, len(c.Labels))
	for k := range entries {
		entries[k].code = int32(k)
	}
	key := key(src)
	var wg sync.WaitGroup
	for part := range slices.Chunk(entries, max(1, (len(entries)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))) {
		wg.Go(func() {
			mac := hmac.New(sha256.New, key)
			var sum [sha256.Size]byte
			for i := range part {
				mac.Reset()
				mac.Write([]byte(c.Labels[part[i].code]))
				part[i].pseudonym = encoding.EncodeToString(mac.Sum(sum[:0])[:16])
			}
		})
	}
	wg.Wait()
	labels := make([]string, len(entries))
	for _, e := range entries {
		labels[e.code] = e.pseudonym
	}
	c.Labels = labels
	out := c.Compact() // in the order of the pseudonyms
	out.Attribute = table.Attribute{Name: c.Name, Kind: c.Kind, Role: c.Role, Labels: out.Labels}
	return out, nil
}

// key returns a 256-bit key of its own: two blocks of a forked stream, whose key no other use shares.
func key(src rng.Source) []byte {
	s := src.Fork("pseudonym").Stream()
	var k []byte
	for id := range uint64(2) {
		b := s.At(id)
		k = binary.LittleEndian.AppendUint64(k, b.A)
		k = binary.LittleEndian.AppendUint64(k, b.B)
	}
	return k
}

// written returns a numeric column as the texts of its values.
func written(c table.Column) table.Column {
	t, err := table.New(c)
	if err == nil {
		t, err = t.AsCategorical(0, 0)
	}
	if err != nil {
		panic("pseudonym: " + err.Error()) // a single column of any length is a table, and no limit is set
	}
	return t.Column(0)
}
