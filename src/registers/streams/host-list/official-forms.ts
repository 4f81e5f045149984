/** The official layouts of registers whose mirrors publish a host a line. */
import type { OfficialForm } from '../official-or-mirror.ts'

const blockedSite = { blocklist_entries: { domain: { column: 'site' } } }
const authorisedSite = { authorised_domains: { domain: { column: 'site' } } }
/** The same key as in a mirror's list, which has no holders. */
const siteOfHolder = {
  licensee: { key: ['holder'], legal_name: { column: 'holder' } },
  authorised_domains: { domain: { column: 'site' }, key_without_holder: true },
}

/** A whole address; dates and numbers have no letters behind their last dot. */
const address = String.raw`(?:https?://)?[\p{L}\p{N}.-]+\.\p{L}[\p{L}\p{N}-]+(?:[/?]\S*)?`

/** JSON of an interface that documents nothing: each of these members would be the domain. */
export const australia: OfficialForm = {
  file: { format: 'json' },
  columns: {
    site: { headers: ['domain', 'domainName', 'Domain', 'DomainName', 'name', 'Name', 'url', 'Url', '.'] },
  },
  records: blockedSite,
}

/** A table of which only the cells with addresses are known. */
export const belgium: OfficialForm = {
  file: { format: 'html', rows_at: 'table tr:has(td)' },
  columns: { site: { headers: ['td'], pattern: `^${address}$` } },
  records: blockedSite,
}

/** `17   otter.example`; the titles of the pages have no number. */
export const estonia: OfficialForm = {
  file: { format: 'pdf', pattern: String.raw`\d+\.?\s+(?<site>\S+)` },
  columns: { site: { headers: ['site'] } },
  records: blockedSite,
}

/** A mirror has encoded the byte order mark a second time. */
export const france: OfficialForm = {
  file: { format: 'csv', delimiter: 'semicolon' },
  columns: {
    name: { headers: ['SITE', 'ï»¿SITE'] },
    site: { headers: ['URL'] },
    day: { headers: ['DATE DE LA DECISION'] },
  },
  records: {
    blocklist_entries: { domain: { column: 'site' }, listed_at: { column: 'day', date_forms: ['d/m/yyyy'] } },
  },
}

export const greece: OfficialForm = {
  file: { format: 'xlsx' },
  columns: { site: { headers: ['DOMAIN NAME'] } },
  records: blockedSite,
}

/** Cards: the holder, its brand, its sites. */
export const netherlands: OfficialForm = {
  file: { format: 'html', rows_at: 'div.category-online-gokspel' },
  columns: {
    holder: { headers: ['h3.elementor-heading-title'] },
    site: { headers: ['h2.elementor-heading-title'], pattern: address },
  },
  records: siteOfHolder,
}

export const ontario: OfficialForm = {
  file: { format: 'html', rows_at: 'li.operator-item' },
  columns: { site: { headers: ['.views-field-field-logo a@href', '.views-field-title a@href'] } },
  records: authorisedSite,
}

/** A cell has the seat, the registration and, behind a label, the sites. */
export const romaniaSites: OfficialForm = {
  file: { format: 'html' },
  columns: {
    site: {
      headers: ['Sediu social, date de identificare'],
      pattern: String.raw`(?<=Domeni\p{L}*\s*:[^]*?)(?<![\p{L}\p{N}@.-])${address}`,
    },
  },
  records: authorisedSite,
}

/** Pages of ten operators; one without a site has a remark in its place. */
export const spain: OfficialForm = {
  file: { format: 'html', rows_at: 'tr:has(> td.views-field-title)', pages_max: 100 },
  columns: {
    holder: { headers: ['td.views-field-title'] },
    site: { headers: ['td.views-field-field-links a@href'] },
  },
  records: siteOfHolder,
}

/** A row a license and site. Licenses of halls, machines and clubs name people, and no site of games. */
export const sweden: OfficialForm = {
  file: { format: 'xlsx' },
  columns: {
    holder: { headers: ['Aktör'] },
    kind: { headers: ['Licenstyp'] },
    state: { headers: ['Status'] },
    site: { headers: ['Webbadress'] },
  },
  leave_out: {
    column: 'kind',
    words: [
      'Allmännytta bingo',
      'Allmännytta lokalt poolspel',
      'Allmännytta lotteri',
      'Fartyg internationell trafik',
      'Landbaserat kasinospel',
      'Landbaserat kortspel',
      'Landbaserat varuspel',
      'Spelprogramvara',
      'Statligt värdeautomater',
    ],
  },
  records: {
    licensee: { key: ['holder'], legal_name: { column: 'holder' } },
    authorised_domains: {
      domain: { column: 'site', split: [',', ' '] },
      status: { column: 'state', words: { Aktiv: 'active', Inaktiv: 'inactive' } },
      key_without_holder: true,
    },
  },
}

/** Four pages of cards: casino, betting, poker, fantasy contests. */
export const pennsylvania: OfficialForm = {
  file: { format: 'html', rows_at: 'div.pgcb-card', pages_max: 4 },
  columns: { site: { headers: ['a.pgcb-card-link@href'] } },
  records: authorisedSite,
}
