package baseline

import (
	"math"
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
)

// gpus returns the stock of a node with so many GPUs, of which the free parts are given in thousandths.
func gpus(free ...int64) *policy.Stock {
	s := policy.NewStock(&policy.Node{Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: uint8(len(free))}}})
	for i, x := range free {
		if x < 1000 {
			s.Add(gpuTask(1, 1000-x), 1<<i, -1)
		}
	}
	return s
}

// gpuTask is a task that takes cores, or thousandths of them, and thousandths of GPUs.
func gpuTask(cores int32, amount int64) *policy.Stage {
	stage := &policy.Stage{Tasks: 1, Cores: cores}
	if amount > 0 {
		stage.Needs = []policy.Need{{Name: "gpu", Amount: amount}}
	}
	return stage
}

// shares is a mix: thousandths of cores, thousandths of GPUs, and how often such a task comes in percent.
type shares []struct {
	cores int32
	gpus  int64
	often float64
}

func (m shares) mix() *Fragmentation {
	f := new(Fragmentation)
	for _, k := range m {
		check(f.Add(gpuTask(k.cores, k.gpus), k.often))
	}
	return f
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// The numbers are those of the authors' own test of their implementation, TestNodeGpuShareFragAmountWithNonGpu in
// hkust-adsl/kubernetes-scheduler-simulator, pkg/utils/frag_test.go, commit 29a1e4c4c511: 8000 and 4000 thousandths of GPUs times
// the shares of those tasks that need no GPU or more cores than are free.
func TestFragmentationOfItsAuthors(t *testing.T) {
	f := shares{
		{15700, 1000, 28.69}, {11900, 1000, 18.93}, {11400, 1000, 12.27}, {1000, 0, 7.36}, {18710, 1000, 4.85}, {8200, 1000, 3.79},
		{16400, 1000, 3.31}, {9810, 1000, 1.97}, {15200, 1000, 1.87}, {11200, 1000, 1.81}, {14200, 1000, 1.76}, {12000, 0, 1.65},
		{14900, 1000, 1.39}, {60200, 4000, 1.23}, {64200, 8000, 1.07}, {32200, 4000, 1.01}, {17400, 2000, 0.91}, {30200, 2000, 0.69},
		{16000, 1000, 0.64}, {15000, 1000, 0.59}, {64000, 8000, 0.53}, {15000, 0, 0.53}, {11910, 1000, 0.53}, {120200, 8000, 0.48},
		{11300, 1000, 0.37}, {30000, 2000, 0.32}, {9800, 1000, 0.32}, {8000, 1000, 0.32}, {2000, 1000, 0.27}, {2000, 80, 0.27},
		{1000, 1000, 0.27},
	}.mix()
	for _, test := range []struct {
		name  string
		cores int64
		stock *policy.Stock
		want  float64
	}{
		{"empty", 64000, gpus(1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000), 0.8872},
		{"half empty", 32000, gpus(1000, 1000, 1000, 1000, 0, 0, 0, 0), 0.5544},
		{"no cores", 0, gpus(1000, 1000, 1000, 1000, 0, 0, 0, 0), 4},
	} {
		if got := f.Of(test.cores, test.stock); math.Abs(got-test.want) > 1e-5 {
			t.Errorf("%s: the fragmentation is %v, want %v", test.name, got, test.want)
		}
	}
}

// Worked by hand. Of four tasks one takes 0.2 GPUs, one 0.6, one 2 whole GPUs, and one none. A node has [0.2 0.5 1 1] GPUs:
//
//	0.2   all that is free will do                                        0
//	0.6   the first two are too little                                    0.7
//	2     the first two are no whole devices                              0.7
//	none  it uses no GPU                                                  2.7
//
// F is their mean, 4.1/4. Then the growth is that by a task of 0.2 on each of the GPUs:
//
//	[0 0.5 1 1]      0 + 0.5 + 0.5 + 2.5 = 3.5, F shrinks by 0.6/4
//	[0.2 0.3 1 1]    0 + 0.5 + 0.5 + 2.5 = 3.5, F shrinks by 0.6/4
//	[0.2 0.5 0.8 1]  0 + 0.7 + 2.5 (no room for the two) + 2.5 = 5.7, F grows by 1.6/4
func TestFragmentationByHand(t *testing.T) {
	f := shares{{1, 200, 1}, {1, 600, 1}, {1, 2000, 1}, {1, 0, 1}}.mix()
	s := gpus(200, 500, 1000, 1000)
	if got, want := f.Of(4, s), 4.1/4; math.Abs(got-want) > 1e-12 {
		t.Errorf("the fragmentation is %v, want %v", got, want)
	}
	// Two cores short of a task, the free GPUs are of use to nobody.
	if got := f.Of(0, s); math.Abs(got-2.7) > 1e-12 {
		t.Errorf("without cores the fragmentation is %v, want all that is free, 2.7", got)
	}
	for device, want := range []float64{-0.6 / 4, -0.6 / 4, 1.6 / 4, 1.6 / 4} {
		got, err := f.Growth(4, s, gpuTask(1, 200), 1<<device)
		if err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("on device %d it grows by %v, %v, want %v", device, got, err, want)
		}
	}
	// With the last core all that is left becomes of no use: 2.5 for 4.1/4.
	if got, err := f.Growth(1, s, gpuTask(1, 200), 1); err != nil || math.Abs(got-(2.5-4.1/4)) > 1e-12 {
		t.Errorf("with the last core it grows by %v, %v, want %v", got, err, 2.5-4.1/4)
	}
}

// A resident is a task that runs on a node.
type resident struct {
	stage   *policy.Stage
	devices policy.Devices
}

// slowFragmentation counts anew, from what runs on a node, what is free, and adds up case by case what each task of a mix
// cannot use.
func slowFragmentation(n *policy.Node, runs []resident, mix []*policy.Stage, weights []float64, needing bool) (mean float64) {
	cores := int64(n.Cores)
	free := map[string][]int64{}
	for _, o := range n.Offers {
		for range max(1, o.Devices) {
			free[o.Name] = append(free[o.Name], o.Amount)
		}
	}
	for _, r := range runs {
		cores -= int64(r.stage.Cores)
		for _, need := range r.stage.Needs {
			first := 0
			for _, o := range n.Offers {
				if o.Name == need.Name && o.Devices == 0 {
					free[o.Name][0] -= need.Amount
				}
				for d := range int(o.Devices) {
					if o.Name == need.Name && r.devices>>(first+d)&1 != 0 {
						free[o.Name][d] -= min(need.Amount, o.Amount)
					}
				}
				first += int(o.Devices)
			}
		}
	}
	total := 0.0
	for k, stage := range mix {
		amounts, fits := map[string]int64{}, cores >= int64(stage.Cores)
		for _, need := range stage.Needs {
			amounts[need.Name] = need.Amount
			enough, found := int64(0), false
			for _, o := range n.Offers {
				if o.Name != need.Name {
					continue
				}
				found = true
				if whole := o.Devices > 0 && need.Amount >= o.Amount; whole && need.Amount%o.Amount != 0 {
					fits = false
				}
				for _, x := range free[o.Name] {
					if x >= min(need.Amount, o.Amount) {
						enough++
					}
				}
				if o.Devices > 0 && need.Amount > o.Amount {
					fits = fits && enough >= need.Amount/o.Amount
				} else {
					fits = fits && enough >= 1 && (o.Devices > 0 || free[o.Name][0] >= need.Amount)
				}
			}
			fits = fits && found
		}
		useless := 0.0
		for _, o := range n.Offers {
			if o.Devices == 0 || amounts[o.Name] == 0 && needing {
				continue
			}
			for _, x := range free[o.Name] {
				if !fits || amounts[o.Name] == 0 || x < min(amounts[o.Name], o.Amount) {
					useless += float64(x) / float64(o.Amount)
				}
			}
		}
		mean += weights[k] * useless
		total += weights[k]
	}
	if total == 0 {
		return 0
	}
	return mean / total
}

// Whatever runs on a node, however the mix grows and its tasks are asked for again, the measure is that of counting anew,
// before and after a task starts, and asking changes nothing.
func TestFragmentationAgreesWithCountingAnew(t *testing.T) {
	grew, shrank, refused := 0, 0, 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 9))
		node := &policy.Node{Cores: int32(4 + rng.IntN(12)), Offers: [][]policy.Offer{
			{{Name: "gpu", Amount: 1000, Devices: 4}},
			{{Name: "link", Amount: 5000}, {Name: "gpu", Amount: 2000, Devices: 3}, {Name: "fpga", Amount: 1000, Devices: 2}},
			{{Name: "fpga", Amount: 500, Devices: 5}, {Name: "gpu", Amount: 1000, Devices: 8}},
		}[seed%3]}
		random := func() *policy.Stage {
			stage := &policy.Stage{Tasks: 1, Cores: int32(1 + rng.IntN(4))}
			if rng.IntN(5) > 0 {
				stage.Needs = append(stage.Needs, policy.Need{Name: "gpu", Amount: []int64{100, 250, 300, 500, 700, 1000, 2000, 3000, 4000}[rng.IntN(9)]})
			}
			if rng.IntN(4) == 0 {
				stage.Needs = append(stage.Needs, policy.Need{Name: []string{"fpga", "link"}[rng.IntN(2)], Amount: int64(250 * (1 + rng.IntN(6)))})
			}
			return stage
		}
		f := Fragmentation{needing: seed%4 == 3}
		stock, cores := policy.NewStock(node), int64(node.Cores)
		var runs []resident
		var mix []*policy.Stage
		var weights []float64
		slow := func(runs []resident) float64 { return slowFragmentation(node, runs, mix, weights, f.needing) }
		for step := range 100 {
			switch rng.IntN(6) {
			case 0:
				mix, weights = append(mix, random()), append(weights, 5*rng.Float64()+0.1)
				check(f.Add(mix[len(mix)-1], weights[len(weights)-1]))
			case 1:
				if len(runs) > 0 {
					r := runs[len(runs)-1]
					runs = runs[:len(runs)-1]
					stock.Add(r.stage, r.devices, 1)
					cores += int64(r.stage.Cores)
				}
			}
			before := slow(runs)
			if got := f.Of(cores, stock); math.Abs(got-before) > 1e-9 {
				t.Fatalf("seed %d, step %d: the fragmentation is %v, want %v", seed, step, got, before)
			}
			r := resident{stage: random()}
			devices, ok := stock.Take(r.stage)
			if ok {
				stock.Add(r.stage, devices, 1)
				r.devices = devices
			}
			got, err := f.Growth(cores, stock, r.stage, r.devices)
			if fits := ok && cores >= int64(r.stage.Cores); fits != (err == nil) {
				t.Fatalf("seed %d, step %d: the task fits: %v, and the error is %v", seed, step, fits, err)
			}
			if err != nil {
				refused++
				continue
			}
			want := slow(append(runs, r)) - before
			if math.Abs(got-want) > 1e-9 {
				t.Fatalf("seed %d, step %d: it grows by %v, want %v", seed, step, got, want)
			}
			if got > 1e-9 {
				grew++
			} else if got < -1e-9 {
				shrank++
			}
			if rng.IntN(2) == 0 {
				runs = append(runs, r)
				stock.Add(r.stage, r.devices, -1)
				cores -= int64(r.stage.Cores)
			}
		}
	}
	if grew < 300 || shrank < 300 || refused < 300 {
		t.Errorf("it grew %d times, shrank %d times, and %d tasks had no room: the generator does not reach all", grew, shrank, refused)
	}
}

// Of more kinds than MaxKinds the least frequent is forgotten, and errors add nothing.
func TestFragmentationMix(t *testing.T) {
	f := Fragmentation{MaxKinds: 2}
	check(f.Add(gpuTask(1, 100), 3))
	check(f.Add(gpuTask(1, 600), 2))
	check(f.Add(gpuTask(1, 100), 1))
	s := gpus(500)
	if got := f.Of(1, s); math.Abs(got-0.5*2/6) > 1e-12 {
		t.Errorf("the fragmentation is %v, want %v", got, 0.5*2/6)
	}
	for _, weight := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if f.Add(gpuTask(1, 900), weight) == nil {
			t.Errorf("weight %v is taken", weight)
		}
	}
	if f.Add(&policy.Stage{Cores: 1, Needs: []policy.Need{{Name: "gpu", Amount: -5}}}, 1) == nil || f.Add(gpuTask(0, 5), 1) == nil {
		t.Error("a task that is not valid is taken")
	}
	if got := f.Of(1, s); math.Abs(got-0.5*2/6) > 1e-12 {
		t.Errorf("after errors the fragmentation is %v, want %v", got, 0.5*2/6)
	}
	check(f.Add(gpuTask(1, 500), 1)) // in place of 600
	if got := f.Of(1, s); got != 0 {
		t.Errorf("with one kind forgotten the fragmentation is %v, want 0", got)
	}
}

// Of equally frequent kinds the latest is forgotten.
func TestFragmentationForgetsTheLatest(t *testing.T) {
	f := Fragmentation{MaxKinds: 2}
	for _, amount := range []int64{100, 600, 500} {
		check(f.Add(gpuTask(1, amount), 1))
	}
	if got := f.Of(1, gpus(500)); got != 0 {
		t.Errorf("the fragmentation is %v, want 0: only a task of 600 cannot use 500", got)
	}
}

// Nodes on which as much is free, but of other devices, are told apart.
func TestFragmentationTellsNodesApart(t *testing.T) {
	f := shares{{1, 600, 1}, {1, 1000, 1}}.mix()
	for _, test := range []struct {
		offer policy.Offer
		want  float64
	}{
		{policy.Offer{Name: "gpu", Amount: 1000, Devices: 1}, 0},    // both can use it
		{policy.Offer{Name: "gpu", Amount: 1000}, 0},                // in no devices
		{policy.Offer{Name: "gpu", Amount: 500, Devices: 2}, 1},     // 600 is no whole number of these
		{policy.Offer{Name: "fpga", Amount: 1000, Devices: 1}, 1},   // neither needs it
		{policy.Offer{Name: "gpu", Amount: 2000, Devices: 1}, 0},    // both take a part
		{policy.Offer{Name: "gpu", Amount: 500, Devices: 1}, 1},     // too little for both
		{policy.Offer{Name: "gpu", Amount: 1000, Devices: 2}, 0},    // two
		{policy.Offer{Name: "licence", Amount: 500, Devices: 2}, 2}, // neither needs them
	} {
		s := policy.NewStock(&policy.Node{Offers: []policy.Offer{test.offer}})
		if got := f.Of(1, s); got != test.want {
			t.Errorf("with %+v the fragmentation is %v, want %v", test.offer, got, test.want)
		}
	}
	// As much free, of devices of another size: 0.5 of a device, and a whole one.
	half, whole := gpus(500), policy.NewStock(&policy.Node{Offers: []policy.Offer{{Name: "gpu", Amount: 500, Devices: 1}}})
	if a, b := f.Of(1, half), f.Of(1, whole); a != 0.5 || b != 1 {
		t.Errorf("half a GPU and a whole small one are fragments of %v and %v, want 0.5 and 1", a, b)
	}
}

// What is remembered is bounded.
func TestFragmentationForgetsStates(t *testing.T) {
	f := shares{{1, 600, 1}}.mix()
	s := gpus(500)
	for cores := range int64(maxSums + 100) {
		if got := f.Of(cores, s); got != 0.5 {
			t.Fatalf("with %d cores the fragmentation is %v, want 0.5", cores, got)
		}
		if len(f.sums) > maxSums {
			t.Fatalf("%d states are remembered, want at most %d", len(f.sums), maxSums)
		}
	}
}
