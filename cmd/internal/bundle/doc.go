// Package bundle writes a log into a folder that needs no docket to check, and reads such a folder back.
//
//	checkpoint                            the signed checkpoint (C2SP tlog-checkpoint)
//	tile/<level>/<n>, tile/entries/<n>    the tree and its leaves (C2SP tlog-tiles)
//	records/<sequence>.json               the canonical bytes of a record, from 0
//	records/<sequence>.json.sig           its SSHSIG
//	packets/<table>/<id>/<number>.json    the packets judged, as they are stored: redacted
//	allowed_signers                       OpenSSH's format, of those who signed
//	appeals.csv, amendments.csv           the same records for a spreadsheet
//	service                               the verifier key of the service that records are handed in to, if there is one
//	rejections/<record id>                a record's rejection, signed by the service, for each that it turned away
//	SUMMARY.md                            what is in here, and the commands that check it with stock tools
//
// Besides the packets judged there are the newer ones against which a record was found to be stale. Nothing that is
// private is in a bundle: packets are redacted before they are stored, and private notes are no part of a Log.
//
// What a bundle says twice is checked twice: Check reads it back through package verify, and makes every file that
// follows from the records again to compare it. So each byte of a bundle matters.
package bundle
