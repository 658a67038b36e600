package incident_test

import (
	"fmt"

	"docket/contracts/incident"
)

// A profile is read with every problem that it has, and laid out for reading.
func ExampleRead() {
	_, problems := incident.Read([]byte(`{"profileId": "incidents-1"}`))
	fmt.Println("it is a profile:", problems.OK())

	profile := incident.Sample()
	view := profile.Page()
	fmt.Println(view.Title)
	// Output:
	// it is a profile: false
	// Incident response profile sample-1
}
