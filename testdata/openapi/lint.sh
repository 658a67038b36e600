#!/usr/bin/env bash
# Lints the OpenAPI document of the service with @redocly/cli and @stoplight/spectral-cli, which npx fetches; a warning fails. Where there
# is no npx, or it cannot fetch a linter, it says so and goes on.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
document=$folder/openapi.json
DOCKET_OPENAPI="$document" go test -count=1 -run OpenAPI ./cmd/internal/serve >/dev/null
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true

lint() { # PACKAGE, then what it is told
	if ! command -v npx >/dev/null || ! timeout 300 npx --yes "$1" --version >/dev/null 2>&1; then
		echo "skipped: $1 cannot be had here"
		return
	fi
	echo "$1"
	npx --yes "$@" "$document" 2>&1 | tee "$folder/said"
	if grep -qi 'warning' <(grep -v 'npm warn\|Deprecation' "$folder/said"); then
		echo "$1 warns"
		exit 1
	fi
}
lint @redocly/cli@2.77.0 lint --config testdata/openapi/redocly.yaml
lint @stoplight/spectral-cli@6.16.3 lint --fail-severity=hint --ruleset testdata/openapi/spectral.yaml
