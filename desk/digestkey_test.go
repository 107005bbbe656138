package desk

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/dither-data/dither/rng"
)

// TestDigestKeyNeverPrints: no verb shows the key of a record's digests, in a field or alone, and a plan file keeps it.
func TestDigestKeyNeverPrints(t *testing.T) {
	key := recordKey(rng.SeedOf([32]byte{7}))
	bytes := key.bytes()
	for _, v := range []any{key, &key, run{Key: key}, &run{Key: key}, recorder{key: key}, &recorder{key: key},
		verifying{keys: []digestKey{key}}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			said := fmt.Sprintf(verb, v)
			for _, secret := range []string{hex.EncodeToString(bytes), hex.EncodeToString(bytes[:4]), string(bytes),
				strings.Trim(fmt.Sprint(bytes[:8]), "[]"), strings.Trim(fmt.Sprintf("%#v", bytes[:4]), "[]byte{}")} {
				if strings.Contains(said, secret) {
					t.Errorf("%s of %T: %s", verb, v, said)
				}
			}
		}
	}
	text, err := json.Marshal(run{Key: key})
	var back run
	if err != nil || json.Unmarshal(text, &back) != nil || string(back.Key.bytes()) != string(bytes) {
		t.Errorf("%s, %v", text, err)
	}
}
