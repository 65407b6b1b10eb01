package main

// kairosItems repeat what Kairos was evaluated with.
func kairosItems(f form) ([]item, error) {
	heavy := heavyTailed(f)
	items := []item{
		kairosCompletion(heavy),
		kairosCompletion(heavy.with("early reduces", func(b *kairosBed) { b.early = true })),
		kairosCompletion(heavy.with("60 maps", func(b *kairosBed) { b.params.LongMaps = 60 })),
		kairosAlike(heavy),
		kairosTies(heavy), // Fig. 6
	}
	eagle, err := kairosEagle(f) // Figs. 8 and 9
	return append(items, eagle...), err
}
