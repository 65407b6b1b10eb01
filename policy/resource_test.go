package policy_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/augur/policy"
)

func ExampleStock() {
	node := &policy.Node{ID: 1, Partition: 1, Cores: 16, Speed: 1, Offers: []policy.Offer{
		{Name: "gpu", Amount: 1000, Devices: 2},
		{Name: "licence", Amount: 3000},
	}}
	half := &policy.Stage{Tasks: 3, Cores: 1, Needs: []policy.Need{{Name: "gpu", Amount: 500}}}
	whole := &policy.Stage{Tasks: 1, Cores: 1, Needs: []policy.Need{{Name: "gpu", Amount: 1000}, {Name: "licence", Amount: 1000}}}

	free := policy.NewStock(node)
	fmt.Println("tasks with half a GPU:", free.Fits(half))
	first, _ := free.Take(half)
	second, _ := free.Take(half)
	third, _ := free.Take(whole)
	fmt.Printf("devices: %02b %02b %02b\n", first, second, third)
	_, ok := free.Take(half)
	fmt.Println("one more:", ok)
	free.Add(half, first, 1) // the first task has ended
	fmt.Println("then:", free.Fits(half))
	// Output:
	// tasks with half a GPU: 4
	// devices: 01 01 10
	// one more: false
	// then: 1
}

// Whatever tasks come and go, a stock never gives more than there is, Fits says how many tasks Take lets through, Check agrees with
// Take, and when all have gone everything is free again.
func stockNeverGivesMoreThanThereIs(t *testing.T) {
	amounts := []int64{1, 250, 333, 500, 1000, 1500, 2000, 3000}
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 0))
		node := &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}
		for _, name := range []string{"gpu", "slice", "link"}[:1+rng.IntN(3)] {
			node.Offers = append(node.Offers, policy.Offer{Name: name, Amount: []int64{500, 1000, 3000}[rng.IntN(3)], Devices: uint8(rng.IntN(5))})
		}
		if err := node.Validate(); err != nil {
			t.Fatal(err)
		}
		type task struct {
			stage   *policy.Stage
			devices policy.Devices
		}
		stock, empty := policy.NewStock(node), policy.NewStock(node)
		var running []task
		for range 60 {
			if len(running) > 0 && rng.IntN(3) == 0 {
				i := rng.IntN(len(running))
				stock.Add(running[i].stage, running[i].devices, 1)
				running[i] = running[len(running)-1]
				running = running[:len(running)-1]
				continue
			}
			stage := &policy.Stage{Tasks: 1, Cores: 1}
			for _, o := range node.Offers {
				if rng.IntN(2) == 0 {
					stage.Needs = append(stage.Needs, policy.Need{Name: o.Name, Amount: amounts[rng.IntN(len(amounts))]})
				}
			}
			if len(stage.Needs) == 0 {
				continue
			}
			fits, taken := stock.Fits(stage), uint32(0)
			for ; taken <= fits; taken++ {
				before := free(stock)
				devices, ok := stock.Take(stage)
				if !ok {
					break
				}
				after := free(stock)
				if strings.Contains(after, "-") {
					t.Fatalf("seed %d: %s free after %+v", seed, after, stage.Needs)
				}
				stock.Add(stage, devices, 1)
				if err := stock.Check(stage, devices, 1); err != nil || free(stock) != before {
					t.Fatalf("seed %d: Check of what Take gave: %v; free %s, want %s", seed, err, free(stock), before)
				}
				stock.Add(stage, devices, -1)
				running = append(running, task{stage, devices})
			}
			if taken != fits {
				t.Fatalf("seed %d: %d tasks fit by Fits, %d by Take: %+v of %s", seed, fits, taken, stage.Needs, free(empty))
			}
		}
		for _, x := range running {
			stock.Add(x.stage, x.devices, 1)
		}
		if free(stock) != free(empty) {
			t.Fatalf("seed %d: %s free when all have gone, want %s", seed, free(stock), free(empty))
		}
	}
}

func free(s *policy.Stock) string {
	var b strings.Builder
	for o, free := range s.All {
		fmt.Fprint(&b, o.Name, free)
	}
	return b.String()
}

func TestStockCheck(t *testing.T) {
	stock := policy.NewStock(&policy.Node{Offers: []policy.Offer{
		{Name: "gpu", Amount: 1000, Devices: 2}, {Name: "link", Amount: 5000}, {Name: "slice", Amount: 7000, Devices: 1},
	}})
	for _, test := range []struct {
		name, need string
		amount     int64
		devices    policy.Devices
		tasks      uint32
		want       string
	}{
		{"half", "gpu", 500, 0b010, 1, ""},
		{"two halves", "gpu", 500, 0b001, 2, ""},
		{"three halves", "gpu", 500, 0b001, 3, "1000 thousandths of gpu are free"},
		{"both", "gpu", 2000, 0b011, 1, ""},
		{"both for two", "gpu", 2000, 0b011, 2, "are free"},
		{"no device", "gpu", 500, 0, 1, "0 devices of gpu, want 1"},
		{"two devices", "gpu", 500, 0b011, 1, "2 devices of gpu, want 1"},
		{"one and a half", "gpu", 1500, 0b011, 1, "not a whole number of devices"},
		{"another's device", "gpu", 500, 0b101, 1, "devices 100, which the stage does not need"},
		{"no such device", "gpu", 500, 0b1010, 1, "devices 1000"},
		{"last device", "slice", 3000, 0b100, 2, ""},
		{"no devices", "link", 2000, 0, 2, ""},
		{"too much", "link", 2000, 0, 3, "5000 thousandths of link are free"},
		{"unknown", "tpu", 1, 0, 1, "offers no tpu"},
	} {
		err := stock.Check(&policy.Stage{Tasks: 9, Cores: 1, Needs: []policy.Need{{Name: test.need, Amount: test.amount}}}, test.devices, test.tasks)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
}

func TestNamedResourcesValidate(t *testing.T) {
	for _, test := range []struct {
		needs  []policy.Need
		offers []policy.Offer
		want   string
	}{
		{[]policy.Need{{Name: "gpu", Amount: 1}}, []policy.Offer{{Name: "gpu", Amount: policy.MaxAmount, Devices: policy.MaxDevices}}, ""},
		{[]policy.Need{{Amount: 1}}, nil, "a need without a name"},
		{[]policy.Need{{Name: "gpu"}}, nil, "needs 0 thousandths of gpu"},
		{[]policy.Need{{Name: "gpu", Amount: policy.MaxAmount + 1}}, nil, "want 1 to 1000000000"},
		{[]policy.Need{{Name: "gpu", Amount: 1}, {Name: "gpu", Amount: 2}}, nil, "needs gpu twice"},
		{make([]policy.Need, 9), nil, "9 needs, want at most 8"},
		{nil, []policy.Offer{{Amount: 1}}, "an offer without a name"},
		{nil, []policy.Offer{{Name: "gpu", Amount: -1}}, "offers -1 thousandths of gpu"},
		{nil, []policy.Offer{{Name: "a", Amount: 1}, {Name: "a", Amount: 1}}, "offers a twice"},
		{nil, []policy.Offer{{Name: "a", Amount: 1, Devices: 40}, {Name: "b", Amount: 1, Devices: 25}}, "65 devices, want at most 64"},
		{nil, make([]policy.Offer, 9), "9 offers"},
	} {
		j := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 1, Cores: 1, Needs: test.needs}}}
		n := &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1, Offers: test.offers}
		err := j.Validate()
		if err == nil {
			err = n.Validate()
		}
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v and %+v: error %v, want %q", test.needs, test.offers, err, test.want)
		}
	}
}
