package main

// kairosItems repeat what Kairos was evaluated with.
func kairosItems(f form) ([]item, error) {
	heavy := heavyTailed(f)
	early := heavy.with("early reduces", func(b *kairosBed) { b.rules = &containerRules{slowstart: slowstart, master: true} })
	items := []item{
		kairosCompletion(early, false),
		kairosCompletion(early, true, kairosOnBed("Kairos, as in its code", asInItsCode)),
		kairosCompletion(early.with("60 maps", func(b *kairosBed) { b.params.LongMaps = 60 }), true),
		kairosCompletion(heavy.with("early reduces that hold cores", func(b *kairosBed) { b.rules = &containerRules{slowstart: slowstart, hold: true} }), true),
		kairosCompletion(heavy, true),
		kairosTies(heavy), // Fig. 6
	}
	eagle, err := kairosEagle(f) // Figs. 8 and 9
	return append(items, eagle...), err
}

// slowstart is the share of its maps that is done when the reduces of a job may start: Hadoop's default, which the
// authors' code leaves as it is.
const slowstart = 0.05
