package plain

import (
	"strconv"
	"strings"

	"docket/domain/terms"
	"docket/ui/page"
	"docket/ui/topic"
	"docket/ui/wording"
)

func (s *session) sayContracts(name string) error {
	list, err := s.workbench.Contracts(s.ctx)
	if err != nil {
		return s.trouble(wording.ContractsNotShown, err)
	}
	if name == "" {
		s.page.gap()
		s.sayLines(page.Contracts(list))
		s.page.say("Type contracts and a number or a name to hear one.")
		return nil
	}
	for i := range list {
		if strings.EqualFold(name, list[i].Name) || name == strconv.Itoa(i+1) {
			s.sayPage(list[i])
			return nil
		}
	}
	s.page.say("There is no such contract. Type contracts alone to list them.")
	return nil
}

func (s *session) sayContractText(name string) error {
	var area terms.Area
	var topics []topic.Topic
	if s.place == atRecord {
		m := s.records.reading.Record.Members()
		area, topics = m.Area, topic.OfRecord(m)
	} else {
		v := &s.packet.caseFile.View
		area, topics = v.Area(), topic.OfView(v)
	}
	topics = topic.Unique(topics)
	names := make([]string, len(topics))
	for i := range topics {
		names[i] = topics[i].Name()
	}
	at := numberOf(names, name)
	switch {
	case name == "" && len(topics) == 1:
		at = 0
	case name == "":
		s.page.say("Which? Type text and one of: %s.", wording.OrNone(strings.Join(names, ", ")))
		return nil
	}
	if at >= 0 {
		s.sayPage(topics[at].Page())
	} else if one, known := topic.Named(area, name); known {
		s.sayPage(one.Page())
	} else {
		s.page.say("The contract has no blocker, trigger or transition of that name. Type text alone to hear those that are here.")
	}
	return nil
}
