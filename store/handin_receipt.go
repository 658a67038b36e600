package store

import (
	"bytes"
	"encoding/json"
	"errors"

	"docket/domain"
)

// readReceipt reads a receipt of the service as it is kept: the text has to be just what the receipt is written as.
func readReceipt(text string) (domain.Receipt, error) {
	var kept struct {
		RecordID domain.RecordID `json:"recordId"`
		Sequence int64           `json:"sequence"`
		LeafHash string          `json:"leafHash"`
		TreeSize int64           `json:"treeSize"`
		Root     string          `json:"root"`
	}
	if err := json.Unmarshal([]byte(text), &kept); err != nil {
		return domain.Receipt{}, err
	}
	receipt := domain.Receipt{RecordID: kept.RecordID, Sequence: kept.Sequence, TreeSize: kept.TreeSize}
	receipt.LeafHash, _ = domain.ParseHash(kept.LeafHash)
	receipt.Root, _ = domain.ParseHash(kept.Root)
	written, err := json.Marshal(receipt)
	if err != nil || !bytes.Equal(written, []byte(text)) {
		return domain.Receipt{}, errors.New("it is not a receipt as it was kept")
	}
	return receipt, nil
}
