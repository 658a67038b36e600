package domain

// A Contract names one published contract: the revision this program judges by and its validator (seed 9).
type Contract struct {
	Version          string // contractVersion
	ValidatorName    string
	ValidatorVersion string
}

// The contracts of the two dockets and of the private-overlap pilot, seed 9.
var (
	AppealContract = Contract{
		"trade-challenge-appeal-v0.3", "trade-challenge-appeal-contract", "trade-challenge-appeal-validator-v0.1",
	}
	AmendmentContract = Contract{
		"trade-agreement-amendments-v0.1-2026-06", "trade-agreement-amendments-contract",
		"trade-agreement-amendments-validator-v0.1",
	}
)

// ContractOf returns the contract that judges the area; the zero Contract for no area.
func ContractOf(area Area) Contract {
	switch area {
	case Appeals:
		return AppealContract
	case Amendments:
		return AmendmentContract
	}
	return Contract{}
}
