import { counted } from '@baize/names'
import type { DomainShown, VerdictSource } from '../../../features/look-ups/index.ts'
import {
  badge,
  type Column,
  companyPath,
  day,
  facts,
  inSentence,
  marketLink,
  marketName,
  memberName,
  noticeBox,
  olderPart,
  regimeLine,
  searchPath,
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
import { scopeCell, scopeText } from './scope-reason.ts'

type Listing = Verdict['blocked_by'][number] | Verdict['mentioned_by'][number]

/** What a register or a blocklist says of the site: one row as it is published. */
export type VerdictRecord = {
  market: string
  says: 'licenses' | 'blocks' | 'mentions'
  published: string | null
  listing: Listing | null
  license: Verdict['licensed_by'][number] | null
  sources: readonly VerdictSource[]
}

export function recordsOf(verdict: Verdict, sources: readonly VerdictSource[] = []): VerdictRecord[] {
  const published = (geo: string, kind: string) =>
    sources.filter(each => each.market === geo && each.kind.includes(kind))
  const listed = (says: 'blocks' | 'mentions') => (row: Listing) => ({
    market: row.geo,
    says,
    published: row.listed_as,
    listing: row,
    license: null,
    sources: published(row.geo, 'blocklist'),
  })
  const licensed = (row: Verdict['licensed_by'][number]) => ({
    market: row.geo,
    says: 'licenses' as const,
    published: row.license_number,
    listing: null,
    license: row,
    sources: published(row.geo, 'register'),
  })
  return [
    ...verdict.licensed_by.map(licensed),
    ...verdict.blocked_by.map(listed('blocks')),
    ...verdict.mentioned_by.map(listed('mentions')),
  ]
}

const saying = {
  licenses: badge('good', 'licenses'),
  blocks: badge('bad', 'blocks'),
  mentions: badge('plain', 'mentions'),
}

/** Declares the table of what registers say. A public page has no links to others, and room for three. */
export const recordColumns = (isPublic: boolean): Column<VerdictRecord>[] => [
  {
    name: 'Market',
    cell: row => [isPublic ? marketCell(row.market) : marketLink(row.market), regimeOf(row)],
    key: 'market',
    value: row => marketName(row.market),
  },
  { name: 'The register', cell: row => saying[row.says], key: 'says', isFacet: true },
  { name: 'As published', cell: row => publishedCell(row, isPublic), key: 'published' },
  ...(isPublic ? [] : listingColumns),
]

const listingColumns: Column<VerdictRecord>[] = [
  {
    name: 'Counts for',
    cell: row => row.listing && scopeCell(row.listing),
    key: 'scope',
    value: row => row.listing?.scope ?? null,
  },
  {
    name: 'First listed',
    cell: row => row.listing && day(row.listing.first_listed_at),
    key: 'first_listed_at',
    value: row => row.listing?.first_listed_at ?? null,
  },
  { name: 'Source', cell: row => sourceCell(row.sources) },
]

function regimeOf({ license, listing }: VerdictRecord): Content {
  const regime = license !== null && 'regime' in license ? license.regime : null
  const other = listing !== null && 'regime' in listing ? listing.regime : null
  const shown = regime ?? other
  return shown && html`<p>${regimeLine(shown as Parameters<typeof regimeLine>[0])}</p>`
}

function publishedCell({ published, license, listing }: VerdictRecord, isPublic: boolean): Content {
  if (listing !== null) return html`<code>${published}</code>`
  const number = published ?? 'no number published'
  const link =
    isPublic || published === null ? number : html`<a href="${searchPath(published)}">${number}</a>`
  const note = 'The register names the brand. Staff reviewed that this is its site.'
  return html`${link}${license?.basis === 'reviewed_brand' && html`<p class="hint">${note}</p>`}`
}

const marketsOf = (rows: readonly { geo: string }[]) => [...new Set(rows.map(each => each.geo))]

/** Says the verdict in a sentence. A missing record is not a finding. */
function verdictSentence(verdict: Verdict): Content {
  const named = (rows: readonly { geo: string }[]) => inSentence(marketsOf(rows).map(marketName))
  const licensed = html`licensed in ${named(verdict.licensed_by)}`
  const blocked = html`blocked in ${named(verdict.blocked_by)}`
  switch (verdict.verdict) {
    case 'licensed':
      return html`This site is ${licensed}. No regulator that was checked blocks it.`
    case 'blocklisted':
      return html`This site is ${blocked}. No register that was checked licenses it.`
    case 'mixed':
      return html`This site is ${licensed}, and ${blocked}.`
    default:
      return 'No regulator record is stored. It does not mean that the site is unlicensed.'
  }
}

/** Returns why listings count for the whole site or not, each reason once. */
function reasonsOf({ blocked_by: blocked, mentioned_by: mentioned }: Verdict): Content {
  const reasons = [...blocked, ...mentioned].map(each => scopeText(each)).filter(each => each !== '')
  const unique = [...new Set(reasons)]
  return unique.length > 0 && html`<ul class="reasons">${unique.map(each => html`<li>${each}</li>`)}</ul>`
}

/** Shows the verdict in a sentence with its reasons. */
export function verdictCard(verdict: Verdict, isPublic: boolean): Html {
  const { company } = verdict
  const name = company?.name ?? 'a Company without a name'
  const link = company && html`<a href="${companyPath(company.company_ref)}">${name}</a>`
  return html`<div class="verdict">${isPublic && html`<h2>${verdict.domain}</h2>`}
<p>${verdictBadge(verdict.verdict)} ${verdictSentence(verdict)}</p>
${reasonsOf(verdict)}
${company && html`<p>Operated by ${isPublic ? html`<strong>${name}</strong>` : link}.</p>`}
${checkedText(verdict)}</div>`
}

/** Shows a verdict on a public page. */
export function verdictAnswer(verdict: Verdict): Html {
  const rows = recordsOf(verdict)
  return html`${verdictCard(verdict, true)}
${rows.length > 0 && table({ name: 'What registers say', columns: recordColumns(true), rows })}`
}

function checkedText({ checked, verdict }: Verdict): Html {
  const { registers, blocklists, oldest_snapshot_at: oldest } = checked
  if (registers + blocklists > 0)
    return html`<p class="hint">Checked: ${counted(registers, 'register')} and
${counted(blocklists, 'blocklist')}${oldest !== null && html`, the oldest read ${time(oldest)}`}.</p>`
  const none = 'This service has read no register or blocklist itself: its records were imported.'
  return verdict === 'no_record' ? noticeBox('warn', none) : html`<p class="hint">${none}</p>`
}

/** These members describe the whole answer, or have a part of their own. The others are sections. */
const general =
  'domain domain_normalized status last_enriched_at enrichment_run meta operator_launch_profile'.split(' ')

/** Draws the launch profile that was bought with an older verdict. */
export const olderProfile = ({ older }: Pick<DomainShown, 'older'>): Content =>
  older && olderPart(older, { operator_launch_profile: older.response.observations?.operator_launch_profile })

/** Shows when the site was seen, then each section. Those without a value share a line. */
export function observed(
  observations: Observations,
  { related, images }: Pick<DomainShown, 'related' | 'images'>,
): Html {
  const sections = Object.entries(observations).filter(([member]) => !general.includes(member))
  const [none, some] = [true, false].map(is => sections.filter(([, value]) => isEmpty(value) === is))
  const verdicts = new Map(related.map(each => [each.domain, each.verdict]))
  return html`<section aria-labelledby="seen"><h2 id="seen">What the site shows</h2>
<p class="hint">The site was last observed: ${day(observations.last_enriched_at)}.</p>
${some?.map(
  ([member, value]) =>
    html`<section><h3>${memberName(member)} <small>${Array.isArray(value) && value.length}</small></h3>
${evidenceOf(member, value, { verdicts, images })}</section>`,
)}
${none && none.length > 0 && html`<p class="hint">Nothing of: ${namesOf(none)}.</p>`}</section>
${observations.operator_launch_profile && launchProfile(observations.operator_launch_profile)}`
}

/** Draws the launch profile: its short members together, then a part for each of the others. */
function launchProfile(profile: object): Html {
  const isShort = ([, value]: [string, unknown]) => typeof value !== 'object' || value === null
  const members = Object.entries(profile).filter(([member]) => member !== 'domain')
  const parts = members
    .filter(each => !isShort(each))
    .map(
      ([member, value]) =>
        html`<section class="card"><h3>${memberName(member)}</h3>${facts(value, member)}</section>`,
    )
  return html`<section aria-labelledby="launch"><h2 id="launch">Launch profile</h2>
${facts(Object.fromEntries(members.filter(isShort)))}${parts}</section>`
}

type Known = { verdicts: ReadonlyMap<string, string>; images: readonly string[] }

function evidenceOf(member: string, value: unknown, { verdicts, images }: Known): Html {
  if (!Array.isArray(value)) return facts(value, member)
  switch (member) {
    case 'licenses':
      return licenseTable(value as NonNullable<Observations['licenses']>)
    case 'logos':
      return logoGallery(value as NonNullable<Observations['logos']>, images)
    case 'related_domains':
      return facts(
        value.map(each => ({ ...each, verdict: verdicts.get(each.related_domain_normalized) ?? null })),
      )
    default:
      return facts(value, member)
  }
}

const namesOf = (sections: readonly [string, unknown][]) =>
  sections.map(([member]) => memberName(member)).join(', ')

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)
