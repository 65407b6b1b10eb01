package main

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
