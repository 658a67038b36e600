package serve

import "strings"

// A tag groups routes in the OpenAPI document.
type tag struct{ name, text string }

// tags are told apart by how a path begins; the first that fits counts.
var tags = [...]struct {
	tag
	prefix string
}{
	{tag{"appeals", "Challenges and appeals"}, "/api/trade/challenge-appeal/"},
	{tag{"amendments", "Agreement amendments"}, "/api/trade/agreement-amendments/"},
	{tag{"incidents", "Incident response"}, "/api/trade/incident-response/"},
	{tag{"overlap", "The private-overlap pilot, which is not live"}, "/api/background/private-overlap/"},
	{tag{"consoles", "What consoles pull, and the checkpoints that they submit"}, "/api/trade/"},
	{tag{"operation", "For the operator of the service"}, "/"},
}

func (r *Route) tag() tag {
	for i := range tags {
		if strings.HasPrefix(r.Path, tags[i].prefix) {
			return tags[i].tag
		}
	}
	return tag{}
}

func tagList() []object {
	var list []object
	for i := range tags {
		list = append(list, object{{"name", tags[i].name}, {"description", tags[i].text}})
	}
	return list
}
