// Package handin carries work between a console and its service: Pull brings packets in, Push hands records in.
//
// Both can be cut at any moment and done again: nothing is taken twice and nothing is lost.
//
//   - A console is bound to one service, by the key of the service's log, at the first contact. A service with another key
//     is refused before anything is given to it or taken from it (binding.go).
//   - Pull keeps where it has come to only once what came before is durable (pull.go). What cannot be read is refused, told
//     and passed over; so is what is held already with other content.
//   - Push first has the service witness the log (lodge.go): a log that does not extend what the service saw of it hands
//     nothing in. Then it hands in the records in the order of the log (push.go). The service knows a record that it has
//     taken before by its id and bytes, and answers as it did the first time.
//   - Whatever the service says of a record is signed by its log's key, or it is not believed (answer.go).
//
// The flows are pure: what they work on are the interfaces of console.go, and what became of each packet and record is told
// to whoever called. A bundle is handed in by the same flow as a store (bundle.go).
package client
