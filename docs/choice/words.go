package main

// intro opens the page.
const intro = `# Which technique, with how much noise?

` + "`go run ./docs/choice -write docs`" + ` writes this page; seeds are fixed, so all but the seconds comes out the same.

` + "`dither choose`" + ` looks for the release that loses least of what its owner needs among those that are shown to keep every limit. Every
technique of the catalogue that makes values uncertain is a candidate, and so are compositions. Each parameter that is an amount of noise is a
dial. A candidate that breaks a limit with its strongest noise is out, by the pessimistic end of the interval; the others are searched for
the least noise that keeps the limits with three seeds. The winner is released anew with other randomness and other attacks, and only that
second result counts.

What is lost is the weighted mean of losses from 0 to 1: what the tree learned from the release predicts worse (accuracy), decision rules that are gone
(rules), association rules that only one of the tables has (associations), the largest change of a correlation, the largest shift of a mean in standard
deviations, the largest relative change of a standard deviation, the mean distance of distributions, and values that cannot be told any more
(detail). A numeric column that is no number any more has lost its mean, its spread and its correlations.
`

// others is what other tools answer.
const others = `
## What other tools answer to the same question

**ARX** searches one kind of candidate, a lattice of generalisations with suppression, and finds its optimum for one quality model under privacy
models such as k-anonymity or an estimate of the risk of prosecutors, journalists and marketers. Within that lattice the answer is exact, and
fast by pruning. It does not compare generalisation with noise, swapping or microaggregation, and its risk is worked out from the sizes of classes: no attack
is played, so there is no interval and nothing is confirmed on a second release.

**sdcMicro** has many techniques and leaves choosing to whoever uses it: one applies a method, looks at the risk and the loss it prints, undoes it, and
tries again. Risk is by classes of the keys and by distance; a vignette shows how to loop over parameters. There is no search, no limit that decides, and
the figure that was looked at during tuning is the one that is reported.

**riskutility** and the risk-utility maps it draws show several releases in one picture, as the map in the report of ` + "`choose`" + ` does. Which releases are made, and which
of them to take, is up to the reader; points carry no bounds, and the frontier is that of estimates.

None of them says what would have to change for the second to win, what a limit costs, or whether the choice holds when it is made again. What they do better:
ARX proves its optimum; the search here proves nothing about settings that it did not try, which is why a grid is held against it above.
`
