package main

// wingReasons are why numbers of the paper do not come out, as far as it is known.
var wingReasons = []reason{}
