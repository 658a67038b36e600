//go:build ignore

// Packs openapi.json, without its spaces, into openapi.json.gz.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"log"
	"os"
)

func main() {
	text, err := os.ReadFile("openapi.json")
	if err != nil {
		log.Fatal(err)
	}
	var compact, packed bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		log.Fatal(err)
	}
	// The level is one of those that exist, and a buffer takes what it is given.
	writer, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	_, _ = writer.Write(compact.Bytes())
	_ = writer.Close()
	if err := os.WriteFile("openapi.json.gz", packed.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
