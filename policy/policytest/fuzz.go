package policytest

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
)

// Fuzz lets bytes decide all that a host may decide, and looks for bytes under which a policy
// breaks the contract:
//
//	func FuzzLIFO(f *testing.F) {
//		policytest.Fuzz(f, policytest.Config{
//			New: func(policy.Truth) (policy.Scheduler, error) { return new(LIFO), nil },
//		})
//	}
//
// The first byte chooses one of the configurations: variants of one policy, say. The next say what nodes and jobs there are,
// how slow the network is, which nodes leave and come back, which jobs are taken back, and when the host restarts or stands
// still. The others decide, one by one as they are asked for, what else goes wrong in policy/sim: a copy breaks, is killed or
// lost, an action is late or forgotten, a message is lost, late or doubled. When there are no more bytes nothing goes wrong,
// and all jobs must end, however often the policy wakes itself meanwhile.
//
// Beside the policy run two others of its kind, which are told the same and must answer the same. One of them is also told
// events that cannot be, to which it must not answer, and of which it may keep no trace. The other is told events that could
// be but are false, after which nothing is asked of it but that it does not panic.
//
// What it asks for are the rules of package policy, and finish, legal, illegal and repeat of the package comment. It does
// not look for what [Test] measures in scenes of its own: idle, clock, goroutines, shared, events and allocs. So a policy that passes
// here may leave cores free beside work that waits, change what is the host's, or allocate: run both.
//
//	go test ./policy/yours -run '^$' -fuzz '^FuzzLIFO$' -fuzztime 1h -fuzzminimizetime 5x
//
// The last flag matters: without it go test takes up to a minute, again and again, to shorten a script under which the
// policy has merely done something new: in 15 s 18 scripts were tried so, and thousands with it.
//
// Without -fuzz some scripts drawn at random are run, and those of testdata/fuzz; this takes about a tenth of a
// second for each configuration. To read what happened in one, run it with -v.
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
		c := &configs[int(script[0])%len(configs)]
		f := drive(c, script[1:], nil)
		if f == nil && !testing.Verbose() {
			return
		}
		var record bytes.Buffer // once more, to tell the story
		drive(c, script[1:], &record)
		lines := bytes.Split(bytes.TrimSpace(record.Bytes()), []byte("\n"))
		story := bytes.Join(lines[max(0, len(lines)-storyLines):], []byte("\n"))
		if t.Logf("%s", story); f != nil {
			t.Error(f)
		}
	})
}

// drive lets a policy go through the scene of a script.
func drive(c *Config, script []byte, record io.Writer) *Failure {
	in := newScript(script)
	sc := scripted(in)
	sc.shadows, sc.most, sc.config.Record = scriptedShadows(in), maxScripted, record
	f := sc.run(newSuite(*c))
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
	storyLines   = 150
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
