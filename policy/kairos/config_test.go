package kairos

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"example.com/augur/policy"
)

// Errors call a configuration what the caller calls it.
func TestConfigErrors(t *testing.T) {
	node := NodeConfig{Quantum: time.Second}
	_, ofNode := NewNode[int](node)
	_, ofCentral := NewCentral[int](CentralConfig{Tie: 3})
	_, noQuantum := NewScheduler(Config{})
	_, advisor := NewAdvisor(-1)
	_, queue := NewScheduler(Config{Node: node, Central: CentralConfig{Queue: -1, Tie: AtRandom, Src: rand.NewPCG(1, 1)}})
	_, floor := NewAdaptive(AdaptiveConfig{Floor: -1})
	_, heartbeat := NewAdaptive(AdaptiveConfig{Heartbeat: -1})
	for _, test := range []struct {
		err  error
		want string
	}{
		{floor, "kairos: AdaptiveConfig.Floor is -1ns, want more than 0 s, at most 1281023h53m38.427387903s, or 0 for 1 s"},
		{heartbeat, "kairos: AdaptiveConfig.Heartbeat is -1ns, want at least 0"},
		{ofNode, "kairos: NodeConfig.Cores is 0, want 1 to 1048576"},
		{ofCentral, "kairos: CentralConfig.Tie is 3, want LeastVariance, LeastSum or AtRandom"},
		{noQuantum, "kairos: Config.Node.Quantum is 0s, want more than 0 s, at most 1281023h53m38.427387903s"},
		{advisor, "kairos: an Advisor with a queue of -1, want 0 to 1048576"},
		{queue, "kairos: Config.Central.Queue is -1, want 0 to 1048576"},
	} {
		if test.err == nil || test.err.Error() != test.want {
			t.Errorf("got error %v, want %q", test.err, test.want)
		}
	}
	if _, err := NewAdvisor(MaxQueue); err != nil {
		t.Errorf("an Advisor with the longest queue: %v", err)
	}
}

func TestNodeConfig(t *testing.T) {
	for _, test := range []struct {
		config NodeConfig
		names  string // what the error must name; empty: there is none
	}{
		{NodeConfig{Cores: 1, Quantum: 1}, ""},
		{NodeConfig{Cores: MaxCores, Quantum: maxSpan / 3}, ""},
		{NodeConfig{Cores: 3, Quantum: maxSpan, Counter: 1, Undisturbed: 1, Hysteresis: maxSpan, Memory: math.MaxInt64}, ""},
		{NodeConfig{Quantum: 1}, "Cores is 0"},
		{NodeConfig{Cores: -1, Quantum: 1}, "Cores is -1"},
		{NodeConfig{Cores: MaxCores + 1, Quantum: 1}, "Cores is 1048577"},
		{NodeConfig{Cores: 1}, "Quantum is 0s"},
		{NodeConfig{Cores: 1, Quantum: -1}, "Quantum is -1ns"},
		{NodeConfig{Cores: 1, Quantum: maxSpan + 1}, "Quantum is"},
		{NodeConfig{Cores: 1, Quantum: 1, Starvation: 3}, "Starvation is 3, want NotServed"},
		{NodeConfig{Cores: 1, Quantum: 1, Counter: -1}, "Counter is -1"},
		{NodeConfig{Cores: 1, Quantum: maxSpan/2 + 1, Counter: 2, Undisturbed: 1}, "Counter is 2"},
		{NodeConfig{Cores: 1, Quantum: maxSpan / 2, Starvation: Preempted}, ""},
		{NodeConfig{Cores: 1, Quantum: 1, Undisturbed: -1}, "Undisturbed is -1"},
		{NodeConfig{Cores: 1, Quantum: maxSpan/2 + 1, Counter: 1}, "Undisturbed is 2"},
		{NodeConfig{Cores: 1, Quantum: 1, Hysteresis: -1}, "Hysteresis is -1ns"},
		{NodeConfig{Cores: 1, Quantum: 1, Hysteresis: maxSpan + 1}, "Hysteresis is"},
		{NodeConfig{Cores: 1, Quantum: 1, Memory: -1}, "Memory is -1"},
	} {
		_, err := NewNode[int](test.config)
		if (err == nil) != (test.names == "") || err != nil && !strings.Contains(err.Error(), test.names) {
			t.Errorf("%+v: got error %v, want one that says %q", test.config, err, test.names)
		}
	}
}

// exactly returns the sum, in s, and the variance, in s², of services.
func exactly(services []policy.Duration) (sum, variance float64) {
	var total, squares big.Rat
	for _, d := range services {
		x := big.NewRat(int64(d), 1e9)
		total.Add(&total, x)
		squares.Add(&squares, x.Mul(x, x))
	}
	n := big.NewRat(int64(len(services)), 1)
	mean := new(big.Rat).Quo(&total, n)
	squares.Quo(&squares, n).Sub(&squares, mean.Mul(mean, mean))
	sum, _ = total.Float64()
	variance, _ = squares.Float64()
	return sum, variance
}

// Services come and go, among them the longest that there can be: of these nothing remains.
func TestServicesAreExact(t *testing.T) {
	const within = 1e-15 // some roundings of numbers that are exact until then
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 7))
		var s services
		var held []policy.Duration
		for range 100 {
			if len(held) > 0 && rng.IntN(3) == 0 {
				i := rng.IntN(len(held))
				s.remove(held[i])
				held[i] = held[len(held)-1]
				held = held[:len(held)-1]
			} else {
				d := policy.Duration(rng.Uint64() >> (1 + rng.IntN(63)))
				switch rng.IntN(6) {
				case 0:
					d = math.MaxInt64
				case 1:
					d = 0
				case 2:
					d = math.MaxInt64 - d%1000 // a small variance far from 0
				}
				s.add(d)
				held = append(held, d)
			}
			if len(held) == 0 {
				if s != (services{}) || s.total() != 0 || s.variance() != 0 {
					t.Fatalf("seed %d: of no services %+v remains", seed, s)
				}
				continue
			}
			sum, variance := exactly(held)
			if got := s.total(); !(math.Abs(got-sum) <= within*sum) {
				t.Fatalf("seed %d: sum of %v: got %v, want %v", seed, held, got, sum)
			}
			if got := s.variance(); !(math.Abs(got-variance) <= within*variance) {
				t.Fatalf("seed %d: variance of %v: got %v, want %v", seed, held, got, variance)
			}
		}
	}
}

// As many services as there can be, and as long: nothing overflows.
func TestServicesAtTheirLargest(t *testing.T) {
	var s services
	s.add(0)
	s.add(math.MaxInt64)
	for range 31 { // twice as many each time
		s.n *= 2
		s.sum = s.sum.times(2)
		s.squares = s.squares.times(2)
	}
	half := float64(math.MaxInt64) / 1e9 / 2
	if got, want := s.variance(), half*half; math.Abs(got-want) > 1e-15*want {
		t.Errorf("variance of %d services: got %v, want %v", s.n, got, want)
	}
}

// Whatever memory a task has, the node is told of no more than that, so that one of the same size can hold
// it: as a float64, 2^53 + 3 is one more.
func TestAssignmentsOfMuchMemory(t *testing.T) {
	for _, memory := range []int64{0, 1, 1<<53 - 1, 1 << 53, 1<<53 + 3, math.MaxInt64} {
		p := &part{cores: 1, places: 1, memory: memory, centres: make([]link, 1), begun: 1, config: Config{Node: NodeConfig{Quantum: 1}}}
		joined := policy.Event{Kind: policy.Joined, Node: 1}
		task := policy.Event{Kind: policy.Arrived, Msg: assignment(assign, policy.Copy{Task: policy.Task{Job: 1}}, 1, 0, memory)}
		for _, ev := range []*policy.Event{&joined, &task} {
			actions, err := p.Step(ev, nil)
			if err != nil || ev == &task && (len(actions) == 0 || actions[0].Kind != policy.Start) {
				t.Errorf("%d bytes: %v gives %v, %v", memory, ev.Kind, actions, err)
			}
		}
	}
}
