import type { Scenario } from '../../../test/small-internet/scenario.ts'
import type { CheckingService } from '../../../test/small-internet/start-checking-service.ts'

/** Returns what the check of a scenario stored, in the form of the scenario's expectation. */
export async function siteOutcome(service: CheckingService, { domain, expect: expected }: Scenario) {
  const stored = await service.findingsOf(domain)
  const check = (await service.checksOf(domain)).at(-1)
  const ofSection = (name: string) => stored.filter(({ section }) => section === name)
  const status = (section: string) => ofSection(section)[0]?.value.status
  const findings = Object.entries(expected.findings ?? {}).map(([section, values]) => {
    const found = ofSection(section).map(({ value_key, value }) => `${value_key} ${JSON.stringify(value)}`)
    if (values === 'none') return [section, found.length === 0 ? 'none' : found]
    const text = found.join('\n').toLowerCase()
    return [section, values.filter(value => text.includes(value.toLowerCase()))]
  })
  const requested = service.internet.requestsTo(domain).map(({ url }) => url)
  // A wrong number of requests is replaced by their URLs, which explain it.
  const requests = requested.length === expected.requests ? expected.requests : requested
  return {
    expected: { ...expected, findings: expected.findings ?? {} },
    seen: {
      web_presence: status('web_presence'),
      launch: status('launch'),
      outcome: check?.state === 'failed' ? check.reason : check?.state,
      findings: Object.fromEntries(findings),
      ...(expected.requests === undefined ? {} : { requests }),
    },
  }
}
