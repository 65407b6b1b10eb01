package policytest

import (
	"errors"
	"fmt"

	"example.com/augur/policy/sim"
)

// A Failure says which rule a policy broke, and where.
type Failure struct {
	Rule string // such as "Legal start" or "finish", see the package comment
	Case string // the subtest of [Test] that found it, such as "faults/seed=3"
	Err  error  // what happened; a [*sim.Violation] for the rules of package policy
}

// Error says all of it.
func (f *Failure) Error() string {
	if f.Rule == "config" {
		return fmt.Sprintf("policytest: the Config is not as it should be, in %s: %v", f.Case, f.Err)
	}
	return fmt.Sprintf("policytest: rule %q is broken in %s: %v", f.Rule, f.Case, f.Err)
}

// Unwrap returns f.Err.
func (f *Failure) Unwrap() error { return f.Err }

func failure(rule, format string, args ...any) *Failure {
	return &Failure{Rule: rule, Err: fmt.Errorf(format, args...)}
}

// failed says which rule an error of the simulator is about.
func failed(err error) *Failure {
	if v, ok := errors.AsType[*sim.Violation](err); ok {
		if v.Host {
			return &Failure{Rule: "host", Err: err}
		}
		return &Failure{Rule: v.Rule, Err: err}
	}
	if f, ok := errors.AsType[*Failure](err); ok {
		return f
	}
	if u, ok := errors.AsType[*unmadeError](err); ok {
		return &Failure{Rule: "config", Err: u}
	}
	return &Failure{Rule: "legal", Err: err}
}

// unmadeError is an error of Config.New.
type unmadeError struct{ err error }

func (u *unmadeError) Error() string { return "Config.New: " + u.err.Error() }
func (u *unmadeError) Unwrap() error { return u.err }
