package contracts

import "docket/domain"

// GenerateEnforcementSchema writes the JSON Schema of the enforcement records of an area; nil for no area.
func GenerateEnforcementSchema(area domain.Area) []byte {
	shape := domain.EnforcementShape(area)
	if len(shape.Members) == 0 {
		return nil
	}
	g := generator{shared: sharedShapes(&shape)}
	table := domain.EnforcementTable(area).String()
	return g.document(table, "Enforcement record about "+area.String(),
		"What a reviewer decided, as it is signed and logged. Members that follow from others have to say what follows.",
		g.object(&shape, table))
}
