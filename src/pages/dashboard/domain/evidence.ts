import { findMarket } from '@baize/names'
import type { Static } from 'typebox'
import type { resolveDomain } from '../../../features/domains/index.ts'
import type { VerdictSource } from '../../../features/look-ups/index.ts'
import { type Column, day, facts, memberName, sourceWords, table, webLink } from '../../components/index.ts'
import { type Content, type Html, html } from '../../html.ts'

export type Verdict = Static<typeof resolveDomain.data>
export type Observations = NonNullable<Verdict['observations']>

/** A license of a verdict or of a profile. Some members exist only in one of the two. */
export type License = {
  jurisdiction: string
  license_number: string | null
  status: string | null
  license_ref?: string
  license_type?: string | null
  authorized_domains?: readonly { domain: string }[]
  source_url?: string | null
  first_seen_at?: string | null
  last_seen_at?: string | null
}

export function marketCell(code: string): Content {
  const market = findMarket(code)
  return market === undefined ? code : html`${market.name}<p class="hint">${market.regulator}</p>`
}

/** Shows where the record is published, and when it was read. */
export function sourceCell(sources: readonly VerdictSource[]): Content {
  if (sources.length === 0) return html`<span class="none">imported records</span>`
  return sources.map(({ stream, official_url: url, last_snapshot_at: readAt }) => {
    const name = sourceWords(stream)
    const link = url === null ? name : html`<a href="${url}" rel="noreferrer noopener">${name}</a>`
    return html`<p class="source">${link} <span class="hint">read ${day(readAt)}</span></p>`
  })
}

const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).host : address)

const optional: readonly (Column<License> & { member: keyof License })[] = [
  { member: 'license_type', name: 'Type', cell: row => row.license_type ?? '' },
  {
    member: 'authorized_domains',
    name: memberName('authorized_domains'),
    cell: row => facts(row.authorized_domains?.map(each => each.domain)),
  },
  {
    member: 'first_seen_at',
    name: memberName('first_seen_at'),
    cell: row => facts(row.first_seen_at, 'first_seen_at'),
  },
  {
    member: 'last_seen_at',
    name: memberName('last_seen_at'),
    cell: row => facts(row.last_seen_at, 'last_seen_at'),
  },
  {
    member: 'source_url',
    name: memberName('source_url'),
    cell: ({ source_url: url }) => (url ? webLink(url, hostOf(url)) : facts(null)),
  },
]

export function licenseTable(rows: readonly License[]): Html {
  return table({
    name: 'Licenses',
    columns: [
      { name: 'Market', cell: row => marketCell(row.jurisdiction) },
      { name: 'License number', cell: row => row.license_number ?? 'not given' },
      { name: 'Status', cell: row => facts(row.status, 'status') },
      ...optional.filter(({ member }) => rows.some(row => row[member] !== undefined)),
    ],
    rows,
  })
}

type Logo = NonNullable<Observations['logos']>[number]

/** Shows logos of this service whose files are served, each on the background for which it is made. */
export function logoGallery(logos: readonly Logo[], images: readonly string[]): Html {
  return html`<ul class="logos">${logos.map(logo => {
    const { variant, theme, format, width, height, url } = logo
    const size = width !== null && height !== null && ` ${width} × ${height}`
    const file = images.find(each => url.endsWith(`/${each}`))
    const image = file
      ? html`<a href="${url}" class="logo ${theme === 'dark' && 'dark'}"><img src="/logos/${file}"
alt="${variant}, ${theme}" loading="lazy"></a>`
      : html`<p>Withdrawn</p>`
    return html`<li><figure>${image}
<figcaption>${variant}, ${theme}<span class="hint">${format.toUpperCase()}${size},
${origins[logo.source] ?? logo.source}</span>
<span class="hint">${periodOf(logo)}</span></figcaption></figure></li>`
  })}</ul>`
}

const origins: Record<string, string> = {
  business_profile: 'of a business profile',
  website: 'of the site',
  catalog: 'of a catalogue',
}

const periodOf = ({ current, first_seen_at: from, superseded_at: until }: Logo): Html =>
  current || until === null ? html`in use, first seen ${day(from)}` : html`${day(from)} to ${day(until)}`
