package main

// kairosItems repeat what Kairos was evaluated with.
func kairosItems(f form) ([]item, error) {
	heavy := heavyTailed(f)
	rules := func(what string, rules *containerRules) *kairosBed {
		return heavy.with(what, func(b *kairosBed) { b.rules = rules })
	}
	items := []item{
		kairosCompletion(heavy, kairosOnBed("Kairos, as in its code", asInItsCode)),
		kairosCompletion(heavy.with("60 maps", func(b *kairosBed) { b.params.LongMaps = 60 })),
		kairosCompletion(rules("no ApplicationMasters", &containerRules{slowstart: slowstart})),
		kairosCompletion(rules("early reduces hold cores", &containerRules{slowstart: slowstart, hold: true})),
		kairosCompletion(rules("late reduces", nil)),
		kairosTies(heavy), // Fig. 6
	}
	eagle, err := kairosEagle(f) // Figs. 8 and 9
	return append(items, eagle...), err
}

// slowstart is the share of its maps that is done when the reduces of a job may start: Hadoop's default, which the
// authors' code leaves as it is.
const slowstart = 0.05
