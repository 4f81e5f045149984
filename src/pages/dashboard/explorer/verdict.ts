import { facts, nameOf, table, time, verdictBadge } from '../../components/index.ts'
import { type Content, type Html, html } from '../../html.ts'

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

export function verdictAnswer(verdict: Verdict): Html {
  const { checked, company } = verdict
  return html`<div class="verdict"><h2>${verdict.domain}</h2>
<p>${verdictBadge(verdict.verdict)} ${meaning[verdict.verdict]}</p>
${
  company &&
  html`<p>Operated by <strong>${company.name}</strong>
<code>${company.company_ref}</code></p>`
}</div>
${section('Licensed by', verdict.licensed_by, licenses)}
${section('Blocked by', verdict.blocked_by, listings)}
${section('Mentioned by', verdict.mentioned_by, listings)}
<p class="hint">Checked: ${counted(checked.registers, 'register')} and
${counted(checked.blocklists, 'blocklist')}, the oldest read ${time(checked.oldest_snapshot_at)}.</p>
${verdict.observations && observed(verdict.observations)}`
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

function section<Row>(
  title: string,
  rows: readonly Row[],
  show: (title: string, rows: readonly Row[]) => Html,
): Content {
  return rows.length > 0 && html`<h3>${title}</h3>${show(title, rows)}`
}

const licenses = (name: string, rows: readonly Verdict['licensed_by'][number][]) =>
  table({
    name,
    columns: [
      { name: 'Market', cell: row => row.geo },
      { name: 'License number', cell: row => row.license_number ?? 'not published' },
    ],
    rows,
  })

const listings = (name: string, rows: readonly Listing[]) =>
  table({
    name,
    columns: [
      { name: 'Market', cell: row => row.geo },
      { name: 'Listed as', cell: row => html`<code>${row.listed_as ?? ''}</code>` },
      { name: 'Scope', cell: row => row.scope ?? '' },
      { name: 'First listed', cell: row => time(row.first_listed_at ?? null) },
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
${facts(value)}</details>`,
)}`
}

function sizeOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : String(value.length)
  return value === null ? 'unknown' : ''
}
