import { counted } from '@baize/names'
import type { VerdictPeriod, VerdictSource } from '../../../features/look-ups/index.ts'
import {
  type Column,
  facts,
  memberName,
  noticeBox,
  regimeLine,
  table,
  time,
  verdictBadge,
} from '../../components/index.ts'
import { type Content, type Html, html } from '../../html.ts'
import {
  licenseTable,
  logoGallery,
  marketCell,
  type Observations,
  sourceCell,
  type Verdict,
} from './evidence.ts'
import { scopeCell } from './scope-reason.ts'

type Listing = Verdict['blocked_by'][number] | Verdict['mentioned_by'][number]

/** A missing record is not a finding. */
const meaning = {
  licensed: 'At least one register lists a license in force for this domain.',
  blocklisted: 'At least one regulator blocks this domain, and no license covers it.',
  mixed: 'A license covers this domain in one market, and a regulator blocks it in another.',
  no_record: 'No regulator record is stored. It does not mean that the site is unlicensed.',
}

/** Shows a verdict. `sources` are the streams behind it; without them the table has no such column. */
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

const lastOf = ({ to, missing_on: missing }: VerdictPeriod): Content =>
  to === null ? 'listed today' : html`${to}${missing && html`<p class="hint">not on ${missing}</p>`}`

/** Shows when registers and dated lists named the site. Lists of mirrors license nothing today. */
export function timelineOf(periods: readonly VerdictPeriod[]): Content {
  return (
    periods.length > 0 &&
    html`<h3>Timeline of registers</h3>
${table<VerdictPeriod>({
  name: 'Timeline of registers',
  columns: [
    { name: 'Market', cell: row => marketCell(row.market) },
    {
      name: 'Source',
      cell: row =>
        html`<code>${row.stream}</code>${
          row.lists !== null && html`<p class="hint">${counted(row.lists, 'dated list')} of a mirror</p>`
        }`,
    },
    { name: 'First seen', cell: row => row.from },
    { name: 'Last seen', cell: lastOf },
  ],
  rows: periods,
})}
<p class="hint">Between two lists nothing is known. A list of the past licenses nothing today.</p>`
  )
}

function checkedText({ checked, verdict }: Verdict): Html {
  const { registers, blocklists, oldest_snapshot_at: oldest } = checked
  if (registers + blocklists > 0)
    return html`<p class="hint">Checked: ${counted(registers, 'register')} and
${counted(blocklists, 'blocklist')}${oldest !== null && html`, the oldest read ${time(oldest)}`}.</p>`
  const none = 'This service has read no register or blocklist itself: its records were imported.'
  return verdict === 'no_record' ? noticeBox('warn', none) : html`<p class="hint">${none}</p>`
}

type Show<Row> = (title: string, rows: readonly Row[], sources: readonly VerdictSource[]) => Html

function section<Row>(
  title: string,
  rows: readonly Row[],
  show: Show<Row>,
  sources: readonly VerdictSource[],
): Content {
  return rows.length > 0 && html`<h3>${title}</h3>${show(title, rows, sources)}`
}

/** Returns the streams of the row's market that have this kind of record. */
function sourceColumns<Row extends { geo: string }>(
  sources: readonly VerdictSource[],
  kind: string,
): Column<Row>[] {
  if (sources.length === 0) return []
  const cell = ({ geo }: Row) =>
    sourceCell(sources.filter(each => each.market === geo && each.kind.includes(kind)))
  return [{ name: 'Source', cell }]
}

/** Shows the market, with its regime if that restricts more than licensing. */
const marketOf = (row: Verdict['licensed_by'][number] | Listing): Content => [
  marketCell(row.geo),
  'regime' in row && row.regime && html`<p>${regimeLine(row.regime)}</p>`,
]

const licenses: Show<Verdict['licensed_by'][number]> = (name, rows, sources) =>
  table<Verdict['licensed_by'][number]>({
    name,
    columns: [
      { name: 'Market', cell: marketOf },
      {
        name: 'License number',
        cell: row =>
          html`${row.license_number ?? 'not given'}${
            row.basis === 'reviewed_brand' &&
            html`<p class="hint">The register names the brand. Staff reviewed that this is its site.</p>`
          }`,
      },
      ...sourceColumns(sources, 'register'),
    ],
    rows,
  })

const listings: Show<Listing> = (name, rows, sources) =>
  table<Listing>({
    name,
    columns: [
      { name: 'Market', cell: marketOf },
      { name: 'Listed as', cell: row => html`<code>${row.listed_as}</code>` },
      { name: 'Scope', cell: scopeCell },
      { name: 'First listed', cell: row => time(row.first_listed_at) },
      ...sourceColumns(sources, 'blocklist'),
    ],
    rows,
  })

/** These members describe the whole answer. The others are sections. */
const general = ['domain', 'domain_normalized', 'status', 'last_enriched_at', 'enrichment_run', 'meta']

/** Shows when the site was seen, then each section. Those without a value share a line. */
function observed(observations: Observations): Html {
  const sections = Object.entries(observations).filter(([member]) => !general.includes(member))
  const [none, some] = [true, false].map(is => sections.filter(([, value]) => isEmpty(value) === is))
  return html`<h3>Evidence</h3>
<p class="hint">The site was last observed: ${time(observations.last_enriched_at)}.</p>
${some?.map(
  ([member, value]) =>
    html`<section><h4>${memberName(member)} <small>${Array.isArray(value) && value.length}</small></h4>
${evidenceOf(member, value)}</section>`,
)}
${none && none.length > 0 && html`<p class="hint">Nothing of: ${namesOf(none)}.</p>`}`
}

function evidenceOf(member: string, value: unknown): Html {
  if (!Array.isArray(value)) return facts(value, member)
  if (member === 'licenses') return licenseTable(value as NonNullable<Observations['licenses']>)
  return member === 'logos' ? logoGallery(value as NonNullable<Observations['logos']>) : facts(value, member)
}

const namesOf = (sections: readonly [string, unknown][]) =>
  sections.map(([member]) => memberName(member)).join(', ')

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)
