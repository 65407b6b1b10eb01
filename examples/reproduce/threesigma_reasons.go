package main

// sigmaReasons are why numbers of the paper do not come out, as far as it is known.
var sigmaReasons []reason
