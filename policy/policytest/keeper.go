package policytest

import (
	"bytes"
	"fmt"

	"example.com/augur/policy"
)

// keeperCases save a replica that is a policy.Keeper now and then, and load that into a new one, which must save the same. The
// replica must answer as if nobody had saved it.
func keeperCases() []testCase {
	return follows(func() *replica {
		events := 0
		return &replica{rule: "keeper", says: "saving changes its answers", before: func(sh *replica, part policy.NodeID, _ *policy.Event) error {
			k, ok := sh.parts[0].(policy.Keeper)
			if events++; !ok || part != 0 || events%20 != 0 {
				return nil
			}
			return sh.kept(k)
		}}
	})
}

// kept returns what is wrong with how a policy is saved and loaded.
func (sh *replica) kept(k policy.Keeper) error {
	text, err := saved(k)
	if err != nil {
		return err
	}
	p, err := sh.config.make(sh.truth)
	if err != nil {
		return err
	}
	fresh, ok := p.(policy.Keeper)
	if !ok {
		return fmt.Errorf("one policy that Config.New makes is a Keeper, and another, a %T, is not", p)
	}
	before, err := saved(fresh)
	if err != nil {
		return err
	}
	if err := fresh.Load(bytes.NewReader(text[:len(text)/2])); err == nil {
		return fmt.Errorf("the first half of the %d bytes of Save is loaded without an error", len(text))
	}
	if after, err := saved(fresh); err != nil || !bytes.Equal(after, before) {
		return fmt.Errorf("after an error of Load, Save gives other bytes than before (error %v)", err)
	}
	if err := fresh.Load(bytes.NewReader(text)); err != nil {
		return fmt.Errorf("the bytes of Save are refused by Load: %w", err)
	}
	if again, err := saved(fresh); err != nil || !bytes.Equal(again, text) {
		return fmt.Errorf("after Load, Save gives other bytes: %d, want the same %d (error %v)", len(again), len(text), err)
	}
	return nil
}

// saved returns what a policy saves.
func saved(k policy.Keeper) ([]byte, error) {
	var text bytes.Buffer
	if err := k.Save(&text); err != nil {
		return nil, fmt.Errorf("in Save: %w", err)
	}
	return text.Bytes(), nil
}
