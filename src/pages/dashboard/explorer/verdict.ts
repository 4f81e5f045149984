import type { VerdictSource } from '../../../features/look-ups/index.ts'
import { type Column, facts, nameOf, notice, table, time, verdictBadge } from '../../components/index.ts'
import { type Content, type Html, html } from '../../html.ts'
import { type License, type Logo, licenseTable, logoGallery, marketCell, sourceCell } from './evidence.ts'

type Listing = { geo: string; first_listed_at?: string | null; listed_as?: string | null; scope?: string }

export type Verdict = {
  domain: string
  verdict: string
  licensed_by: { geo: string; license_number: string | null }[]
  blocked_by: Listing[]
  mentioned_by: Listing[]
  company: { company_ref: string; name: string } | null
  checked: { registers: number; blocklists: number; oldest_snapshot_at: string | null; as_of: string }
  observations?: Record<string, unknown>
}

/** Without a record nothing is known; it is not a finding. */
const meaning: Record<string, string> = {
  licensed: 'At least one register lists a license in force for this domain.',
  blocklisted: 'At least one regulator blocks this domain, and no license covers it.',
  mixed: 'A license covers this domain in one market, and a regulator blocks it in another.',
  no_record: 'No regulator record is stored. It does not mean that the site is unlicensed.',
}

/** Sources are the streams behind it; without them no such column is shown. */
export function verdictAnswer(verdict: Verdict, sources: readonly VerdictSource[] = []): Html {
  const { company } = verdict
  return html`<div class="verdict"><h2>${verdict.domain}</h2>
<p>${verdictBadge(verdict.verdict)} ${meaning[verdict.verdict]}</p>
${
  company &&
  html`<p>Operated by <strong>${company.name}</strong>
<code>${company.company_ref}</code></p>`
}</div>
${section('Licensed by', verdict.licensed_by, licenses, sources)}
${section('Blocked by', verdict.blocked_by, listings, sources)}
${section('Mentioned by', verdict.mentioned_by, listings, sources)}
${checkedText(verdict)}
${verdict.observations && observed(verdict.observations)}`
}

function checkedText({ checked, verdict }: Verdict): Html {
  const { registers, blocklists, oldest_snapshot_at: oldest } = checked
  if (registers + blocklists > 0)
    return html`<p class="hint">Checked: ${counted(registers, 'register')} and
${counted(blocklists, 'blocklist')}${oldest !== null && html`, the oldest read ${time(oldest)}`}.</p>`
  const none = 'This service has read no register or blocklist itself: its records were imported.'
  return verdict === 'no_record' ? notice('warn', none) : html`<p class="hint">${none}</p>`
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

type Show<Row> = (title: string, rows: readonly Row[], sources: readonly VerdictSource[]) => Html

function section<Row>(
  title: string,
  rows: readonly Row[],
  show: Show<Row>,
  sources: readonly VerdictSource[],
): Content {
  return rows.length > 0 && html`<h3>${title}</h3>${show(title, rows, sources)}`
}

/** The streams of the row's market that have this kind of record. */
function sourceColumns<Row extends { geo: string }>(
  sources: readonly VerdictSource[],
  kind: string,
): Column<Row>[] {
  if (sources.length === 0) return []
  const cell = ({ geo }: Row) =>
    sourceCell(sources.filter(each => each.market === geo && each.kind.includes(kind)))
  return [{ name: 'Source', cell }]
}

const licenses: Show<Verdict['licensed_by'][number]> = (name, rows, sources) =>
  table<Verdict['licensed_by'][number]>({
    name,
    columns: [
      { name: 'Market', cell: row => marketCell(row.geo) },
      { name: 'License number', cell: row => row.license_number ?? 'not published' },
      ...sourceColumns(sources, 'register'),
    ],
    rows,
  })

const scopes: Record<string, string> = {
  domain: 'the whole site',
  host: 'this host alone',
  path: 'this path alone',
  shared_host: 'one party on a shared host',
}

const listings: Show<Listing> = (name, rows, sources) =>
  table<Listing>({
    name,
    columns: [
      { name: 'Market', cell: row => marketCell(row.geo) },
      { name: 'Listed as', cell: row => html`<code>${row.listed_as ?? ''}</code>` },
      { name: 'Scope', cell: row => scopes[row.scope ?? ''] ?? row.scope ?? '' },
      { name: 'First listed', cell: row => time(row.first_listed_at ?? null) },
      ...sourceColumns(sources, 'blocklist'),
    ],
    rows,
  })

/** Of the whole answer; the others are sections. */
const general = ['domain', 'domain_normalized', 'status', 'last_enriched_at', 'enrichment_run', 'meta']

/** When the site was seen, then each section with how much it has. */
function observed(observations: Record<string, unknown>): Html {
  const { last_enriched_at: seenAt } = observations
  const sections = Object.entries(observations).filter(([member]) => !general.includes(member))
  return html`<h3>Evidence</h3>
<p class="hint">The site was last observed: ${time(typeof seenAt === 'string' ? seenAt : null)}.</p>
${sections.map(
  ([member, value]) =>
    html`<details><summary>${nameOf(member)} <small>${sizeOf(value)}</small></summary>
${evidenceOf(member, value)}</details>`,
)}`
}

function evidenceOf(member: string, value: unknown): Html {
  if (!Array.isArray(value) || value.length === 0) return facts(value, member)
  if (member === 'licenses') return licenseTable(value as License[])
  return member === 'logos' ? logoGallery(value as Logo[]) : facts(value, member)
}

function sizeOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : String(value.length)
  return value === null ? 'none' : ''
}
