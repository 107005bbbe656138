package iterative

import (
	"testing"

	"github.com/dither-data/dither/reconstruct/reconstructtest"
)

func TestConformance(t *testing.T) { reconstructtest.Family(t, Reconstructions) }
