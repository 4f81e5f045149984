/** Finds images that a site shows as its logo, the likeliest first. */
import type { SectionFinding } from '../finding.ts'
import { textsIn } from '../page/match-rules.ts'
import type { MatchedPage } from './matched-page.ts'

type Kind = 'json_ld' | 'header' | 'icon'

const eachKindMax = 3
const urlCharactersMax = 500
const organisations = /Organi[sz]ation|Business|Casino|Brand|WebSite|Corporation|Store/

export function readLogos({ page }: MatchedPage): SectionFinding[] {
  const declared = page.jsonLd
    .filter(object => textsIn(object['@type']).some(type => organisations.test(type)))
    .flatMap(object => imageUrls(object.logo))
  const header = page.images.filter(({ isHeader, url }) => isHeader && url !== '')
  const named = header.filter(({ alt, file }) => /logo|brand/i.test(`${alt} ${file}`))
  return [
    ...candidates('json_ld', declared, page.url),
    ...candidates(
      'header',
      (named.length > 0 ? named : header.slice(0, 1)).map(({ url }) => url),
      page.url,
    ),
    ...candidates('icon', page.icons, page.url),
  ]
}

function candidates(kind: Kind, urls: readonly string[], base: string): SectionFinding[] {
  const absolute = urls
    .map(each => URL.parse(each, base))
    .filter(url => url !== null && /^https?:$/.test(url.protocol) && url.href.length <= urlCharactersMax)
    .map(url => (url as URL).href)
  return [...new Set(absolute)].slice(0, eachKindMax).map(url => ({
    valueKey: url,
    value: { url, kind },
    rule: `logo/${kind}`,
    strength: kind === 'json_ld' ? 3 : kind === 'header' ? 2 : 1,
    snippet: null,
  }))
}

/** Reads the member `logo`, which is a URL, an ImageObject, or a list of them. */
function imageUrls(logo: unknown): string[] {
  if (Array.isArray(logo)) return logo.flatMap(imageUrls)
  if (typeof logo === 'string') return [logo]
  if (typeof logo !== 'object' || logo === null) return []
  const { url, contentUrl } = logo as Record<string, unknown>
  return [...imageUrls(url ?? null), ...imageUrls(contentUrl ?? null)].slice(0, 1)
}
