package provenance_test

import (
	"fmt"
	"reflect"
	"sync"
	"testing"

	"example.com/augur/dag/provenance"
)

// tables are the tables of names of a log.
func tables(l *provenance.Log) []*provenance.Names {
	return []*provenance.Names{&l.IDs, &l.Templates, &l.Users, &l.Orgs, &l.Files}
}

// What becomes of a log after it was cloned, and of the clone, is not seen in the other.
func TestCloneGoesItsOwnWay(t *testing.T) {
	small := func() *provenance.Log {
		l := &provenance.Log{
			Jobs: []provenance.Job{{Submitted: 1}, {Submitted: 2}},
			Ops:  []provenance.Op{{Time: 3, Kind: provenance.Write}},
		}
		for k, n := range tables(l) {
			for i := range 5 { // room is left behind some of them
				n.Number(fmt.Sprint(k, i))
			}
		}
		return l
	}
	change := func(l *provenance.Log, what string) {
		l.Jobs[0].State = provenance.Complete
		l.Jobs = append(l.Jobs, provenance.Job{Submitted: 9})
		l.Ops[0].Time = 9
		l.Ops = append(l.Ops, provenance.Op{Time: 9})
		for _, n := range tables(l) {
			n.Number(what)
		}
	}
	log := small()
	clone := log.Clone()
	if !reflect.DeepEqual(clone, log) {
		t.Fatalf("the clone is %+v, want %+v", clone, log)
	}
	var both sync.WaitGroup // the race detector looks on
	both.Go(func() { change(log, "log") })
	both.Go(func() { change(clone, "clone") })
	both.Wait()
	for want, l := range map[string]*provenance.Log{"log": log, "clone": clone} {
		wanted := small()
		change(wanted, want)
		if !reflect.DeepEqual(l, wanted) {
			t.Errorf("the %s is %+v, want %+v", want, l, wanted)
		}
		for k, n := range tables(l) {
			if got := n.Name(5); got != want {
				t.Errorf("name 5 of table %d of the %s is %q, want %q", k, want, got, want)
			}
		}
	}
	if empty := new(provenance.Log).Clone(); len(empty.Jobs) != 0 || empty.Files.Number("f") != 0 {
		t.Errorf("of an empty log the clone is %+v", empty)
	}
}
