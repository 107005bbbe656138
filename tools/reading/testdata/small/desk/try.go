package desk

import (
	"example.org/small/contract"
	"example.org/small/protect/noise"
)

func try(x int) int { return contract.Run(noise.One{}, x) }
