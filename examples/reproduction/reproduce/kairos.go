package main

// kairosHeadlines are what Kairos saves, as Table 1 is read first and in the reading that comes nearest, and
// what its choice of nodes is worth.
var kairosHeadlines = []headline{
	{"Fig. 4", "heavy-tailed", "Kairos, JCT P50, s, below FIFO's by %", gain},
	{"Fig. 4", "heavy-tailed", "Kairos, JCT P99, s, below FIFO's by %", gain},
	{"Fig. 4", "heavy-tailed", "Kairos, JCT P50, s, below Big-C's by %", gain},
	{"Fig. 4", "heavy-tailed", "Kairos, JCT P99, s, below Big-C's by %", gain},
	{"Fig. 4", "heavy-tailed, draws like it", "Kairos, as in its code, 6 cores, JCT P50, s, below FIFO's by %", gain},
	{"Fig. 4", "heavy-tailed, draws like it", "Kairos, as in its code, 6 cores, JCT P99, s, below FIFO's by %", gain},
	{"Fig. 6", "heavy-tailed", "Var, largest JCT, s, below Random's by %", gain},
	{"Fig. 6", "heavy-tailed", "Var, largest JCT, s, below Sum's by %", gain},
	{"Fig. 8", "generated, like Google", "short JCT P99, Kairos below Eagle's by %, at most", gain},
	{"Fig. 9", "generated, like Yahoo", "short JCT P99, Kairos below Eagle's by %, at most", gain},
}

// kairosItems repeat what Kairos was evaluated with.
func kairosItems(f form) ([]item, error) {
	heavy := heavyTailed(f)
	items := []item{
		kairosCompletion(f, "Fig. 4", heavy, kairosPublished),
		kairosAlike(heavy),
		kairosEarly(heavy),
		kairosTies(heavy),        // Fig. 6
		kairosSensitivity(heavy), // Fig. 7
	}
	if f.full {
		items = append(items, kairosSplits(heavy))
	}
	items = append(items,
		kairosCompletion(f, "Fig. 4", heavy.with("60 maps", func(b *kairosBed) { b.params.LongMaps = 60 }), kairosPublished),
		kairosCompletion(f, "Fig. 5", uniform(f), nil),
	)
	eagle, err := kairosEagle(f) // Figs. 8 and 9
	return append(items, eagle...), err
}
