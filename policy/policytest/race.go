//go:build race

package policytest

const raceDetector = true
