package main

import "example.com/augur/policy/hopper"

// ours is Hopper with a change.
func ours(what string, change func(c *hopper.Config)) hopperPolicy {
	return hopperPolicy{name: "Hopper, " + what, change: change}
}

var byHopper = hopperPolicy{name: "Hopper"}

// A copyReading is what may be meant by copies that are run by best effort.
type copyReading struct {
	name string
	turn hopper.CopyTurn
}

// copyReadings are the three. In turn, a job's copies go before its own tasks that wait, as in
// Fig. 2.1 of the thesis. After own, they go after these, as Hadoop and Spark have it. After all, a
// copy runs "whenever there is an open slot": one that no task of any job wants.
var copyReadings = []copyReading{{"in turn", hopper.InTurn}, {"after own", hopper.AfterOwn}, {"after all", hopper.AfterAll}}

// rival is what Hopper is compared with: an allocator whose copies run by best effort in one reading.
func rival(a hopper.Allocator, reading copyReading) hopperPolicy {
	return hopperPolicy{
		name:   a.String() + ", copies " + reading.name,
		change: func(c *hopper.Config) { c.Allocator, c.Copies, c.Group = a, reading.turn, "" }, // tails are Hopper's
	}
}

// withoutCopies is SRPT that runs none, to show what all copies together are worth.
var withoutCopies = hopperPolicy{
	name:   "SRPT, no copies",
	change: func(c *hopper.Config) { c.Allocator, c.Rule, c.Group = hopper.SRPT, nil, "" },
}

// under returns the policy with another rule of speculation.
func (p hopperPolicy) under(rule hopperRule) hopperPolicy {
	p.name += ", " + rule.name
	p.rule = rule
	return p
}

// rivals asks for the trials of an allocator on a bed, in each reading.
func (l *lab) rivals(b *hopperBed, a hopper.Allocator) []*trial {
	return each(copyReadings, func(reading copyReading) *trial { return l.ask(b, rival(a, reading)) })
}

// late and mantri are the other rules of speculation; the parameters are those of their papers.
var (
	late   = hopperRule{"LATE", func() (hopper.Speculator, error) { return hopper.NewLATE(hopper.LATEConfig{}) }}
	mantri = hopperRule{"Mantri", func() (hopper.Speculator, error) { return hopper.NewMantri(hopper.MantriConfig{}) }}
)
