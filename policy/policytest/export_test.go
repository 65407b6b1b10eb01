package policytest

// RaceDetector says whether the tests run under it.
const RaceDetector = raceDetector
