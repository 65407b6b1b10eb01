package policytest

import (
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// Fuzz lets the bytes of a script decide everything that a host may decide, and searches for scripts under which a
// policy breaks the contract:
//
//	func FuzzLIFO(f *testing.F) {
//		policytest.Fuzz(f, policytest.Config{
//			New: func(policy.Truth) (policy.Scheduler, error) { return new(LIFO), nil },
//		})
//	}
//
// The first byte chooses a configuration, of several variants of one policy say. The next bytes choose the nodes and
// jobs, the network's delay, which nodes leave and come back, which jobs are cancelled, and when the host restarts or
// stands still. The others decide, one by one, what else goes wrong in policy/sim: a copy fails, is killed or lost,
// an action is late, a message is lost, late or doubled. When no bytes are left, nothing goes wrong any more, and all jobs
// must end, however often the policy wakes itself meanwhile.
//
// One more policy of the same kind gets the same events and must answer the same. It also gets impossible events, which
// it must not answer and which must leave no trace.
//
// Fuzz checks the rules of package policy, and finish, legal, illegal and repeat of the package comment, but not the
// rules that [Test] measures in its own scenes: idle, clock, goroutines, shared, events and allocs. So run both.
//
//	go test ./policy/yours -run '^$' -fuzz '^FuzzLIFO$' -fuzztime 1h -fuzzminimizetime 5x
//
// The last flag matters: without it go test repeatedly spends up to a minute on shortening a script that merely reaches new
// code, and tries far fewer scripts.
//
// Without -fuzz it runs some random scripts and those of testdata/fuzz, which takes about a tenth of a second for
// each configuration. With -v it prints all events and actions of a script.
func Fuzz(f *testing.F, configs ...Config) {
	f.Helper()
	if len(configs) == 0 {
		f.Fatal("policytest: Fuzz without a Config, want at least 1")
	}
	for i := range configs {
		if fail := configs[i].validate(); fail != nil {
			f.Fatal(fail)
		}
		for seed := range uint64(scripts) {
			if testing.Short() && seed >= shortScripts {
				break
			}
			f.Add(randomScript(byte(i), seed))
		}
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) == 0 {
			return
		}
		var record io.Writer
		if testing.Verbose() {
			record = t.Output()
		}
		if f := drive(&configs[int(script[0])%len(configs)], script[1:], record); f != nil {
			t.Error(f)
		}
	})
}

// drive lets a policy go through the scene of a script.
func drive(c *Config, script []byte, record io.Writer) *finding {
	in := newScript(script)
	sc := scripted(in)
	sc.replicas, sc.most, sc.config.Record = []*replica{scriptedReplica(in)}, maxScripted, record
	f := sc.run(c)
	if f == nil || errors.Is(f, errEnough) {
		return nil
	}
	f.Case = "a script"
	return f
}

const (
	scripts      = 24 // for each configuration, without -fuzz
	shortScripts = 6
	scriptSize   = 600  // of these, in bytes
	maxScript    = 4000 // longer ones are cut
)

// randomScript draws a script. What happens in it is mostly that time passes and things arrive.
func randomScript(config byte, seed uint64) []byte {
	rng := rand.New(rand.NewPCG(seed, 0x736372697074))
	script := make([]byte, scriptSize)
	for i := range script {
		script[i] = byte(rng.Uint32())
	}
	script[0] = config
	return script
}

// A script is a source of random numbers: each of its bytes decides the next one, as far as anybody looks.
type script struct {
	left []byte
	rest *rand.PCG
}

func newScript(bytes []byte) *script {
	return &script{bytes[:min(len(bytes), maxScript)], rand.NewPCG(1, 2)}
}

// Uint64 is rand.Source. IntN goes by the highest byte or the lowest, and ExpFloat64 by the fourth.
func (s *script) Uint64() uint64 {
	u := s.rest.Uint64()
	if len(s.left) > 0 {
		b := uint64(s.left[0])
		u, s.left = u&^(0xff<<56|0xff<<24|0xff)|b<<56|b<<24|b, s.left[1:]
	}
	return u
}

// over reports whether there are no more bytes.
func (s *script) over() bool { return len(s.left) == 0 }

// scripted reads a scene from a script: of what nodes and jobs there are, what the network and the host are like, and what
// is planned to go wrong. What is left of the script says, byte by byte, what else does.
func scripted(in *script) *scene {
	rng := rand.New(in)
	sc := drawScene(rng, 1+rng.IntN(10))
	for i := range sc.config.Nodes { // so that those of a partition differ
		sc.config.Nodes[i].Cores = int32(1 + rng.IntN(6))
	}
	sc.shift([]policy.Duration{0, -100 * s, 1_700_000_000 * s}[rng.IntN(3)])
	sc.config.Delay, sc.config.MaxFailures = []policy.Duration{0, 0, s / 100, s, 10 * s}[rng.IntN(5)], 1+rng.IntN(3)
	chance := func() float64 { return float64(rng.IntN(3)) / 10 }
	f := &sc.config.Faults
	f.TaskFailure, f.TaskEviction = chance(), chance()
	f.PostLoss, f.PostLate, f.PostEarly, f.PostTwice, f.MeanLate = chance(), chance(), chance(), chance(), s
	f.ActionLate, f.MeanSlip = chance(), s
	now := sc.jobs[0].Submitted
	for range rng.IntN(12) {
		now = now.Add(seconds(rng, 4))
		switch rng.IntN(6) {
		case 0, 1, 2:
			f.Outages = append(f.Outages, sim.Outage{Node: policy.NodeID(1 + rng.IntN(len(sc.config.Nodes))), At: now, For: 1 + seconds(rng, 4)})
		case 3:
			f.Cancels = append(f.Cancels, sim.Cancel{Job: policy.JobID(1 + rng.IntN(len(sc.jobs))), At: now})
		case 4:
			f.Restarts = append(f.Restarts, now)
		case 5:
			f.Jumps = append(f.Jumps, sim.Jump{At: now, For: seconds(rng, 4)})
		}
	}
	drawn := map[float64]float64{}
	f.Luck = func(u float64) float64 {
		v, known := drawn[u]
		if !known {
			if v = 1 - 1.0/512; !in.over() { // else nothing goes wrong any more
				v = (float64(rng.IntN(256)) + 0.5) / 256
			}
			drawn[u] = v
		}
		return v
	}
	return sc
}

// scriptedReplica is told, amid what the policy is told, events that cannot be. The script says when, and which.
func scriptedReplica(in *script) *replica {
	rng := rand.New(in)
	wait := rng.IntN(32)
	return &replica{
		rule: "repeat", says: "two policies answer the same events differently",
		before: func(sh *replica, _ policy.NodeID, _ *policy.Event) error {
			if wait--; wait >= 0 || in.over() || !sh.world.live() {
				return nil
			}
			wait = rng.IntN(32)
			sh.rule = "illegal"
			return sh.forge(impossible[rng.IntN(len(impossible))])
		},
	}
}
