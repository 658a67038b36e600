// Package remote is a service as a console reaches it over HTTP: the only place that sends a token.
//
// What holds for every exchange:
//
//   - The service is reached by https, or by http on this machine and nowhere else (base.go). A redirect is refused, so that
//     the token goes to the address that was named and to no other.
//   - What takes too long or is too large is given up (client.go).
//   - What may pass is tried again a few times: too many requests, a service that cannot answer now, a connection that was
//     cut (retry.go). All that a console asks for may be asked for twice.
//   - An answer is read as strictly as a packet (answer.go). A problem document is returned as an *exchange.Problem; any
//     other error says that there is no answer that could be relied upon, and holds nothing of a body.
package client
