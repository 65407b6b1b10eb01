package policytest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/augur/policy"
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
// The first byte chooses one of the configurations: variants of one policy, say. The others say of
// what jobs and nodes there are; then, again and again, what happens next: a job comes or is taken
// back, an order or a piece of news arrives that was under way, a copy ends, fails or is killed,
// a Start or Resume is refused though there is room, a node leaves or comes back, a message is lost, late or
// doubled, the clock jumps ahead, the host restarts. All of it is as the contract allows, and more than [Test] and
// policy/sim do, under which each network has one delay. When there are no more bytes the
// host does at once what it is asked for, and all jobs must end, however often the policy wakes itself meanwhile.
//
// Amid this the policy is told events that cannot be, to which it must not answer, and of which
// it may keep no trace: a twin that is not told of them answers the same. After an event that could be but is
// false nothing is asked of a policy but that it does not panic.
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
		h := newDriven(c, script[1:])
		h.verbose = testing.Verbose()
		fail := h.run()
		if fail == nil {
			return
		}
		if !h.verbose { // once more, to tell the story
			h = newDriven(c, script[1:])
			h.verbose = true
			h.run()
		}
		story := h.story[max(0, len(h.story)-storyLines):]
		t.Errorf("%v\n%s", fail, strings.Join(story, "\n"))
	})
}

const (
	scripts      = 12 // for each configuration, without -fuzz
	shortScripts = 3
	scriptSize   = 400  // of these, in bytes
	maxScript    = 2000 // longer ones are cut
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

// choices are what a script says, byte by byte; 0 when it is over.
type choices struct{ left []byte }

// of returns a number below n, which is at most 256.
func (c *choices) of(n int) int {
	if len(c.left) == 0 {
		return 0
	}
	b := c.left[0]
	c.left = c.left[1:]
	return int(b) % n
}

func (c *choices) one(n int) bool { return len(c.left) > 0 && c.of(n) == n-1 }

// run plays the script, and then lets all jobs end.
func (h *driven) run() *Failure {
	if h.failed == nil {
		h.begin()
	}
	for h.going() && len(h.in.left) > 0 && h.steps <= maxSteps {
		h.next()
	}
	h.in.left = nil
	if h.going() && !h.blind {
		h.calm()
	}
	if h.failed != nil {
		h.failed.Case = "a script"
	}
	return h.failed
}

// going reports whether the run is to go on.
func (h *driven) going() bool { return h.failed == nil && !h.over }

func (h *driven) fail(f *Failure) {
	if h.failed == nil && !h.over {
		h.failed = f
		h.tell("FAILED: %v", f.Err)
	}
}

// tell writes a line of the story.
func (h *driven) tell(format string, args ...any) {
	if h.verbose {
		h.story = append(h.story, fmt.Sprintf(format, args...))
	}
}

// forge tells the policy an event that cannot be, or, if the script wants it, one that could be
// but is false, after which the host goes on blindly.
func (h *driven) forge() {
	if !h.world.live() {
		return
	}
	k := h.in.of(len(impossible) + len(untrue))
	if k >= len(impossible) {
		h.mislead(untrue[k-len(impossible)])
		return
	}
	ev := h.world.forge(impossible[k])
	h.tell("told %s", tell(&ev))
	got, err := step(h.parts[0].policy, new(clone(&ev)), nil)
	switch {
	case isPanic(err):
		h.fail(failure("illegal", "told %s: %w", tell(&ev), err))
	case len(got) > 0 && !h.blind:
		h.fail(failure("illegal", "told %s, it answers %s", tell(&ev), describe(got, 0)))
	}
	h.told = &ev
}

// mislead tells the policy, or one of its parts, what is not true.
func (h *driven) mislead(kind forgery) {
	h.blind = true
	part := policy.NodeID(0)
	if h.distributed != nil {
		part = policy.NodeID(h.in.of(len(h.nodes)))
	}
	p := h.parts[part].policy
	if p == nil {
		return
	}
	ev := h.world.forge(kind)
	h.tell("told falsely %s", tell(&ev))
	if _, err := step(p, new(clone(&ev)), nil); isPanic(err) {
		h.fail(failure("illegal", "told %s: %w", tell(&ev), err))
	}
}

// compare tells the twin of a part what that was told, and compares the answers.
func (h *driven) compare(part policy.NodeID, ev *policy.Event, actions []policy.Action) {
	twin := h.parts[part].twin
	if twin == nil || h.blind {
		return
	}
	got, err := step(twin, new(clone(ev)), nil)
	e := entry{part: part, event: *ev, actions: actions}
	if err != nil {
		err = fmt.Errorf("%s: it answers %s, and its twin gives the error: %w", &e, list(actions), err)
	} else {
		err = e.differ(got)
	}
	if err == nil {
		return
	}
	if h.told == nil {
		h.fail(failure("repeat", "two policies, told the same, answer otherwise: %w", err))
		return
	}
	h.fail(failure("illegal", "once it had been told %s, which its twin was not: %w", tell(h.told), err))
}

// differ says from where on a twin has answered otherwise, and what both did.
func (e *entry) differ(twin []policy.Action) error {
	alike := 0
	for alike < min(len(twin), len(e.actions)) && same(&twin[alike], &e.actions[alike]) {
		alike++
	}
	if alike == len(twin) && alike == len(e.actions) {
		return nil
	}
	after := ""
	if alike > 0 {
		after = fmt.Sprintf("after %d alike ", alike)
	}
	return fmt.Errorf("%s: %sit answers %s, and its twin %s", e, after, list(e.actions[alike:]), list(twin[alike:]))
}

// list writes the first few actions of an answer.
func list(actions []policy.Action) string {
	if len(actions) == 0 {
		return "nothing"
	}
	const most = 4
	var texts []string
	for i := range actions[:min(len(actions), most)] {
		texts = append(texts, describe(actions, i))
	}
	if n := len(actions) - most; n > 0 {
		texts = append(texts, fmt.Sprintf("%d more", n))
	}
	return strings.Join(texts, ", ")
}
