package main

import (
	"crypto/md5"
	"crypto/sha1"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/dither-data/dither/table"
)

// Leaks by values that say who somebody is, in a column that mostly says none. Nobody in them exists.

// kind makes values of one kind, the k-th of which differs from the others.
type kind struct {
	name string
	make func(k int, draw *rand.Rand) string
}

// wherever are those that are told by their form, however many records have one.
var wherever = []kind{
	{"bank accounts", func(_ int, draw *rand.Rand) string { return bankAccount(fmt.Sprintf("%018d", draw.Int64N(1e18))) }},
	{"card numbers", func(_ int, draw *rand.Rand) string { return cardNumber(fmt.Sprintf("4%014d", draw.Int64N(1e14))) }},
	{"social security numbers", func(_ int, draw *rand.Rand) string {
		return fmt.Sprintf("%03d-%02d-%04d", 100+draw.IntN(600), 10+draw.IntN(80), 1000+draw.IntN(9000))
	}},
	{"addresses of computers", func(k int, draw *rand.Rand) string {
		return fmt.Sprintf("10.%d.%d.%d", k, draw.IntN(256), draw.IntN(256))
	}},
	{"addresses of computers (IPv6)", func(k int, draw *rand.Rand) string {
		return fmt.Sprintf("2001:db8::%x:%x", k, draw.IntN(1<<16))
	}},
	{"addresses of devices", func(k int, draw *rand.Rand) string {
		return fmt.Sprintf("00:1b:44:%02x:%02x:%02x", k, draw.IntN(256), draw.IntN(256))
	}},
	{"MD5 sums of names", func(k int, draw *rand.Rand) string {
		return fmt.Sprintf("%x", md5.Sum([]byte(somebody(k, draw))))
	}},
	{"SHA-1 sums of names", func(k int, draw *rand.Rand) string {
		return fmt.Sprintf("%x", sha1.Sum([]byte(somebody(k, draw))))
	}},
	{"UUIDs", func(k int, draw *rand.Rand) string {
		return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", draw.Uint32(), k, draw.IntN(4096), draw.IntN(4096),
			draw.Int64N(1<<48))
	}},
	{"mail addresses", func(k int, draw *rand.Rand) string {
		return strings.ReplaceAll(strings.ToLower(somebody(k, draw)), " ", ".") + "@example.org"
	}},
	{"telephone numbers", func(_ int, draw *rand.Rand) string {
		return fmt.Sprintf("+49 %d %07d", 30+draw.IntN(60), draw.IntN(1e7))
	}},
	{"licence plates", func(k int, draw *rand.Rand) string {
		return fmt.Sprintf("%c-%c%c %d", 'A'+k%26, 'A'+draw.IntN(26), 'A'+draw.IntN(26), 100+draw.IntN(900))
	}},
	{"street addresses", func(k int, draw *rand.Rand) string {
		return fmt.Sprintf("%d %s Street", 1+k, oneOf(family, draw))
	}},
	{"street addresses in German", func(k int, draw *rand.Rand) string {
		return fmt.Sprintf("%sstraße %d", oneOf(family, draw), 1+k)
	}},
	{"positions", func(_ int, draw *rand.Rand) string {
		return fmt.Sprintf("%.5f, %.5f", 47+8*draw.Float64(), 6+9*draw.Float64())
	}},
	{"names of physicians", func(k int, draw *rand.Rand) string { return "Dr. " + somebody(k, draw) }},
}

// ofFew are those that are told since few people have one, or since they are alike but for a name: so many values, each
// in so many records.
var ofFew = []struct {
	kind
	values, each int
}{
	{kind{"a remark on one person", func(int, *rand.Rand) string { return "minister of finance; admitted drunk" }}, 1, 1},
	{kind{"a remark on four people", func(int, *rand.Rand) string { return "lost the job after the fire" }}, 1, 4},
	{kind{"a remark in Chinese", func(int, *rand.Rand) string { return "他的妻子不知道他有病" }}, 1, 1},
	{kind{"remarks with names", remark}, 30, 1},
	{kind{"three remarks with names in 20 records each", remark}, 3, 20},
	{kind{"file numbers", func(k int, draw *rand.Rand) string {
		return fmt.Sprintf("K-%05d/%02d", draw.IntN(1e5), k)
	}}, 12, 1},
	{kind{"insurance numbers", func(_ int, draw *rand.Rand) string {
		return fmt.Sprintf("%c%09d", 'A'+draw.IntN(26), draw.IntN(1e9))
	}}, 12, 1},
	{kind{"surnames", func(k int, draw *rand.Rand) string { return oneOf(family, draw) + strings.Repeat("s", k) }}, 8, 1},
}

func remark(k int, draw *rand.Rand) string {
	return "HIV pos., wife " + somebody(k, draw) + " must not know"
}

// somebody is a made-up name.
func somebody(k int, draw *rand.Rand) string {
	return given[k%len(given)] + " " + oneOf(family, draw) + string(rune('a'+k%26))
}

// texts are the leaks by values, each kind of some in one record each and in 20 each.
func texts() (out []leak) {
	among := []string{"bupa", "crx", "heart-c", "wages"}
	add := func(what string, k kind, values, each int) {
		out = append(out, leak{
			table:    among[len(out)%len(among)],
			what:     what,
			plant:    written(k, values, each),
			measures: []string{"text", "name"},
		})
	}
	for _, k := range wherever {
		add("5 "+k.name+" in a column of none", k, 5, 1)
		add("3 "+k.name+" in 20 records each", k, 3, 20)
	}
	for _, k := range ofFew {
		add(k.name+" in a column of none", k.kind, k.values, k.each)
	}
	return out
}

// written adds a column of none and of so many values, each in so many records, to the original and to the release.
func written(k kind, values, each int) func(*scene) {
	return func(s *scene) {
		n := s.original.Rows()
		labels, codes := []string{"none"}, make([]int32, n)
		rows := s.draw.Perm(n)
		for v := range values {
			labels = append(labels, k.make(v, s.draw))
			for _, i := range rows[v*each : (v+1)*each] {
				codes[i] = int32(v + 1)
			}
		}
		c := table.CatColumn("notice", labels, codes)
		s.original = beside(s.original, c)
		s.released = beside(s.released, c.Gather(s.draw.Perm(n)))
	}
}

// beside returns a table with one more column.
func beside(t *table.Table, c table.Column) *table.Table {
	t, err := t.WithColumns(append(t.Columns(), c))
	if err != nil {
		panic(err) // the column is new and as long
	}
	return t
}

// bankAccount is the account of a number at a German bank, with its check digits.
func bankAccount(number string) string {
	rest := 0
	for _, d := range number + "131400" { // DE00
		rest = (10*rest + int(d-'0')) % 97
	}
	return fmt.Sprintf("DE%02d%s", 98-rest, number)
}

// cardNumber is a number with its check digit.
func cardNumber(number string) string {
	sum := 0
	for k := range number {
		d := int(number[len(number)-1-k] - '0')
		if k%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return number + strconv.Itoa((10-sum%10)%10)
}
