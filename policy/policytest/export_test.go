package policytest

// RaceDetector says whether the tests run under it.
const RaceDetector = raceDetector

// Drive drives a policy by a script drawn at random.
func Drive(c Config, seed uint64) *Failure { return drive(&c, randomScript(0, seed)[1:], nil) }
