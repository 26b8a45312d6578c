package demo

// Requests makes up requests.
var Requests = requests
