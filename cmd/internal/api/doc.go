// Package api is what a service and a console say to one another: the paths, the bodies of requests and answers, the
// problems by which a service refuses, and the statement that it signs when it refuses a record for good. Both sides
// import it, so that neither can say what the other does not read.
//
// Payloads of the source's routes are "not shown" (seed 4.1 to 4.4): the shapes here are this project's choice.
//
// Where to look: path.go for the paths, problem.go for the one table of problems, body.go for the bodies.
package api
