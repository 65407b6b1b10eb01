package catalog

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc64"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// learners are policies that have all parts that learn.
var learners = []keptLine{
	{name: "index+grass"}, {name: "fifo-sjbf/last-two"}, {name: "multifactor/chooser+late"}, {name: "gs/hybrid"}, {name: "gs-3sigma-dag"}, {name: "hopper"},
	{name: "random"}, {name: "fair:least-fragmentation"}, {name: "fair@adaptive", plain: true}, {name: "3sigma/point"},
}

// What is damaged, cut short or of another policy is refused, and leaves the policy as it was.
func TestLoadRefuses(t *testing.T) {
	var of [][]byte
	for _, l := range learners {
		learnt, _ := l.run(t, nil)
		of = append(of, learnt)
	}
	_, truth := workload.Split(nil)
	for i, l := range learners {
		p := l.make(t, truth)
		before := saved(t, p)
		refused := func(what string, input []byte, wants ...error) {
			t.Helper()
			err := p.Load(bytes.NewReader(input))
			if err == nil || !errors.Is(err, wants[0]) && !errors.Is(err, wants[len(wants)-1]) {
				t.Errorf("%s, %s: error %v, want %v", l.name, what, err, wants)
			}
			if !bytes.Equal(saved(t, p), before) {
				t.Fatalf("%s, %s: after the error it is not as it was", l.name, what)
			}
		}
		for at := 0; at < len(of[i]); at += 1 + len(of[i])/50 {
			damaged := bytes.Clone(of[i])
			damaged[at] ^= 0x40
			refused("damaged", damaged, policy.ErrFormat, policy.ErrConfig)
			refused("cut short", of[i][:at], policy.ErrFormat)
		}
		for k := range of {
			if k != i {
				refused("of "+learners[k].name, of[k], policy.ErrConfig)
			}
		}
	}
	for _, test := range []struct{ from, to, want string }{
		{"index", "index+grass", "central.Scheduler: snapshot of another configuration: it is of one with Forecast, Turn, this one has Forecast, Turn, Copy"},
		{"index/history", "index/none", "central.Scheduler: Forecast: forecast.Beliefs: snapshot of another configuration: it is of a forecast.History"},
		{"fifo", "index", "it is of one with nothing to keep, this one has Forecast, Turn"},
		{"index", "index/none", "forecast.Beliefs: snapshot of another configuration: it is of one with a Predictor, this one has no Predictor"},
	} {
		from, to := keptLine{name: test.from}.make(t, truth), keptLine{name: test.to}.make(t, truth)
		if err := to.Load(bytes.NewReader(saved(t, from))); !errors.Is(err, policy.ErrConfig) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("from %s to %s: error %v, want ErrConfig with %q", test.from, test.to, err, test.want)
		}
	}
}

// Whatever is loaded, a policy goes on without a panic if it accepts it, and is as it was if it does not. The checksums are
// mended, so that numbers which nobody has saved come through.
func FuzzLoad(f *testing.F) {
	for i, l := range learners {
		learnt, _ := l.run(f, nil)
		f.Add(uint8(i), learnt)
	}
	f.Fuzz(func(t *testing.T, which uint8, input []byte) {
		l := learners[int(which)%len(learners)]
		list, _ := halves(l.plain)
		jobs, truth := workload.Split(list[:20])
		p := l.make(t, truth)
		before := saved(t, p)
		if err := p.Load(bytes.NewReader(sealed(bytes.Clone(input)))); err != nil {
			if !bytes.Equal(saved(t, p), before) {
				t.Fatalf("after %v it is not as it was", err)
			}
			return
		}
		learnt := saved(t, p)
		if err := l.make(t, truth).Load(bytes.NewReader(learnt)); err != nil {
			t.Errorf("what it saves it does not load: %v", err)
		}
		if _, err := sim.Run(context.Background(), sim.Config{Nodes: cluster(), Jobs: jobs, Truth: truth}, p.(policy.Scheduler)); err != nil {
			t.Error(err)
		}
	})
}

// sealed mends the checksums of a snapshot and of those in it, each of which its length precedes; the innermost first.
func sealed(b []byte) []byte {
	head, table := []byte("augur/learnt 1\n"), crc64.MakeTable(crc64.ECMA)
	seal := func(b []byte) {
		if len(b) > 8 {
			binary.LittleEndian.PutUint64(b[len(b)-8:], crc64.Checksum(b[:len(b)-8], table))
		}
	}
	for at := bytes.LastIndex(b, head); at > 0; at = bytes.LastIndex(b[:at], head) {
		for from := at - 1; from >= max(0, at-5); from-- {
			if n, used := binary.Uvarint(b[from:]); from+used == at && n <= uint64(len(b)-at) {
				seal(b[at:][:n])
				break
			}
		}
	}
	seal(b)
	return b
}

// A host that restarts while jobs run saves what was learnt and reports the jobs again. All of them end.
func TestLoadAmidJobs(t *testing.T) {
	for _, l := range learners {
		list, _ := halves(l.plain)
		list = list[:len(list)/2]
		jobs, truth := workload.Split(list)
		p := l.make(t, truth)
		config := sim.Config{Nodes: cluster(), Jobs: jobs, Truth: truth}
		for i := range 8 {
			config.Faults.Restarts = append(config.Faults.Restarts, list[len(list)*i/8].Submitted.Add(1))
		}
		config.Faults.NewPolicy = func() (policy.Scheduler, error) {
			learnt := saved(t, p)
			p = l.make(t, truth)
			return p.(policy.Scheduler), p.Load(bytes.NewReader(learnt))
		}
		r, err := sim.Run(context.Background(), config, p.(policy.Scheduler))
		if err != nil {
			t.Fatalf("%s: %v", l.name, err)
		}
		if m := r.Metrics(); m.Done != len(list) || r.Faults.Restarts != 8 {
			t.Errorf("%s: %d of %d jobs are done after %d restarts", l.name, m.Done, len(list), r.Faults.Restarts)
		}
	}
}
