/** One finding a value, as PostgreSQL can store it. */
import { storableText } from '../../core/storable-text.ts'
import type { Finding } from '../finding.ts'
import { type Geo, joinGeo } from './sections/geo.ts'

/** An index of PostgreSQL takes entries of 2,700 bytes. */
const keyBytesMax = 2_000

/** The strongest of equal values, and of those the most detailed; one value of `geo` for all pages. */
export function joinFindings(findings: readonly Finding[]): Finding[] {
  const best = new Map<string, Finding>()
  const storables = findings.map(storable)
  for (const finding of storables) {
    const key = `${finding.section} ${finding.valueKey}`
    const before = best.get(key)
    if (before === undefined || weightOf(before) < weightOf(finding)) best.set(key, finding)
  }
  const geo = storables.filter(({ section }) => section === 'geo').map(({ value }) => value as Geo)
  return [...best.values()]
    .filter(({ valueKey }) => Buffer.byteLength(valueKey) <= keyBytesMax)
    .map(finding => (finding.section === 'geo' ? { ...finding, value: joinGeo(geo) } : finding))
}

/** Members beyond the strength: a claim of the imprint has the company's number, one of a footer may not. */
const weightOf = ({ strength, value }: Finding) =>
  strength * 100 + Math.min(99, Object.values(value).filter(member => member !== null).length)

/** JSON-LD can spell characters that no text of PostgreSQL has. */
const storable = (finding: Finding): Finding => ({
  ...finding,
  valueKey: storableText(finding.valueKey),
  value: storableValue(finding.value) as Finding['value'],
  snippet: finding.snippet === null ? null : storableText(finding.snippet),
})

/** Values are as deep as their section's shape. */
function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(storableValue)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, storableValue(member)]))
}
